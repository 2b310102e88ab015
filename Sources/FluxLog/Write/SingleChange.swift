import FluxJSON

/// The only value in which two texts differ: the bytes before it and after it are the same.
///
/// Most steps change a state like this, and it saves comparing the states value by value.
struct SingleChange {
  let old: JSON
  let new: JSON
  /// The value's place on both tapes, which are equal before it.
  let place: Int
  /// The places of all containers around it, outermost first.
  let ancestors: ArraySlice<Int>

  /// Returns the patch from `previous`; `nil` if that is not the old state, because a step changed
  /// the store twice.
  func patch(from previous: JSON) -> PatchText? {
    old.document === previous.document ? patch() : nil
  }

  /// Returns the patch of `JSON.patch(to:)`; `nil` if only a comparison of more than one scalar can
  /// find it.
  ///
  /// Replacing one scalar is never longer than replacing a container around it, which contains the
  /// scalar's text, brackets, and a name or as many elements as its index has digits.
  func patch() -> PatchText? {
    old.document.withTape { old in
      new.document.withTape { new in
        switch replacement(old, new) {
        case .none?: return .empty
        case .whole?: return replacing(on: new)
        case nil: return nil
        }
      }
    }
  }

  private enum Replacement { case none, whole }

  /// Returns `nil` if only a comparison can tell.
  private func replacement(_ old: JSONTape, _ new: JSONTape) -> Replacement? {
    let (oldNode, newNode) = (old[place], new[place])
    guard oldNode.kind == newNode.kind else { return .whole }
    switch newNode.kind {
    case .null: return Replacement.none
    case .bool: return .whole
    case .number: return old.equals(place, new, place, .significant) ? Replacement.none : .whole
    case .string:
      // A comparison may replace a part of a longer string, and escapes have several forms.
      let isPlain = !oldNode.has(JSONNode.escaped) && !newNode.has(JSONNode.escaped)
      // With its quotes.
      return isPlain && newNode.end - newNode.start <= 14 ? .whole : nil
    case .array, .object: return nil
    }
  }

  /// Returns the patch that replaces the value; `nil` if only a comparison can find its pointer.
  private func replacing(on tape: JSONTape) -> PatchText? {
    let value = unsafe tape.span(place)
    var text: [UInt8] = []
    text.reserveCapacity(128 + value.count)
    text.append(#"[{"op":"replace","path":""#)
    guard appendPointer(on: tape, to: &text) else { return nil }
    text.append(#"","value":"#)
    unsafe text.append(contentsOf: value)
    text.append("}]")
    return PatchText(bytes: text)
  }

  /// Appends the pointer to the value.
  ///
  /// Returns `false` if a name in it may need another form, if an element may have been replaced by
  /// another one, or if a comparison does not look so deep.
  private func appendPointer(on tape: JSONTape, to text: inout [UInt8]) -> Bool {
    guard ancestors.count < Difference.depthLimit else { return false }
    var isInElement = false
    for (depth, container) in ancestors.enumerated() {
      let child = depth + 1 < ancestors.count ? ancestors[depth + 1] : place
      text.append(UInt8(ascii: "/"))
      if tape[container].kind == .array {
        text.appendDecimal(UInt64(tape.index(of: child, in: container)))
        isInElement = true
        continue
      }
      let name = unsafe tape.content(child - 1)
      let needsComparison =
        unsafe Difference.isIdentity(name) ? isInElement && child == place : name.needsPointerEscape
      guard !needsComparison, !tape[child - 1].has(JSONNode.escaped) else { return false }
      unsafe text.append(contentsOf: name)
      isInElement = false
    }
    return true
  }
}

extension [UInt8] {
  /// Appends a literal without an array that would be retained.
  fileprivate mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
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

extension UnsafeRawBufferPointer {
  fileprivate var needsPointerEscape: Bool {
    unsafe contains(UInt8(ascii: "~")) || contains(UInt8(ascii: "/"))
  }
}
