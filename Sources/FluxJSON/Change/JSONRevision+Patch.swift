extension JSONRevision {
  /// Finds the patch of `JSON.patch(to:)` without a comparison, if that is possible.
  ///
  /// Most steps change one scalar, and this saves comparing the states value by value. Replacing one scalar is never
  /// longer than replacing a container around it, which contains the scalar's text, brackets, and a name or as many
  /// elements as its index has digits.
  ///
  /// - Parameter previous: The value that changes.
  /// - Returns: The text of the patch; nil if only a comparison can find it, or if this is a revision of another value.
  package func patchText(from previous: JSON) -> [UInt8]? {
    guard let change = soleChange, previous.document === self.previous,
      change.ancestors.count < JSONDifference.depthLimit
    else { return nil }
    return previous.document.withTape { old in
      json.document.withTape { new in
        switch isReplaced(change.place, old, new) {
        case true?: replacement(change.path, on: new)
        case false?: Array("[]".utf8)
        case nil: nil
        }
      }
    }
  }

  /// Returns `true` if a scalar is replaced, `false` if it is only written differently, and nil if only a comparison
  /// can tell.
  private func isReplaced(_ place: Int, _ old: JSONTape, _ new: JSONTape) -> Bool? {
    guard old[place].kind == new[place].kind else { return true }
    switch new[place].kind {
    case .null, .bool, .number: return !old.equals(place, new, place, .significant)
    case .string:
      // A comparison may replace a part of a longer string, and escapes have several forms.
      let isPlain = !old[place].has(JSONNode.escaped) && !new[place].has(JSONNode.escaped)
      return unsafe isPlain && new.content(place).count <= 12 ? true : nil
    case .array, .object: return nil
    }
  }

  /// Returns the patch that replaces the last value of a path; nil if the value may be the identity of an array's
  /// element, or a name in the path may have several forms.
  private func replacement(_ path: [Int], on tape: JSONTape) -> [UInt8]? {
    let value = unsafe tape.span(path[path.count - 1])
    var text = ByteBuffer()
    text.append(#"[{"op":"replace","path":""#)
    for (container, child) in zip(path, path.dropFirst()) {
      text.append(UInt8(ascii: "/"))
      if tape[container].kind == .array {
        text.appendNumber(UInt64(tape.index(of: child, in: container)))
      } else {
        let name = unsafe tape.content(child - 1)
        let isIdentity = unsafe child == path.last && JSONDifference.isIdentity(name)
        let isEscaped = tape[child - 1].has(JSONNode.escaped)
        guard !isIdentity, !isEscaped, unsafe !name.needsPointerEscape else { return nil }
        unsafe text.append(name)
      }
    }
    text.append(#"","value":"#)
    unsafe text.append(value)
    text.append("}]")
    return text.bytes
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var needsPointerEscape: Bool {
    unsafe contains(UInt8(ascii: "~")) || contains(UInt8(ascii: "/"))
  }
}

extension JSONTape {
  /// Returns the index of an element in an array.
  fileprivate func index(of element: Int, in array: Int) -> Int {
    var index = 0
    var place = array + 1
    while place < element {
      place = Int(self[place].next)
      index += 1
    }
    return index
  }
}
