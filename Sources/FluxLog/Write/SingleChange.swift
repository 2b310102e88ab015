import FluxJSON

/// The one value in which two texts differ: all before it and all behind it are the same bytes.
///
/// What most steps do to a state, and what comparing the two value by value finds anew.
struct SingleChange {
  let old: JSON
  let new: JSON
  /// The value's place on both tapes, which are the same up to there.
  let place: Int
  /// The places of all containers around it, outermost first.
  let ancestors: [Int]

  /// The patch from a state, where it is the old one; it is another one where a step changes a store twice.
  func patch(from previous: JSON) -> PatchText? {
    old.document === previous.document ? patch() : nil
  }

  /// The patch that `JSON.patch(to:)` gives; nil if that takes a comparison of more than one scalar.
  ///
  /// To replace one scalar is never longer than to replace a container around it: that has the scalar's text in it,
  /// and brackets and a name, or as many elements as its index needs digits.
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

  /// What becomes of the value.
  private enum Replacement { case none, whole }

  /// Nil where only a comparison can tell.
  private func replacement(_ old: JSONTape, _ new: JSONTape) -> Replacement? {
    let (oldNode, newNode) = (old[place], new[place])
    guard oldNode.kind == newNode.kind else { return .whole }
    switch newNode.kind {
    case .null: return Replacement.none
    case .bool: return .whole
    case .number: return old.equals(place, new, place) ? Replacement.none : .whole
    case .string:
      // A part of a longer one may be replaced, and escapes may be written in several ways.
      let isPlain = !oldNode.has(JSONNode.escaped) && !newNode.has(JSONNode.escaped)
      // With its quotes.
      return isPlain && newNode.end - newNode.start <= 14 ? .whole : nil
    case .array, .object: return nil
    }
  }

  /// The patch that replaces the value; nil where its pointer cannot be told without a comparison.
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

  /// Appends the pointer to the value; false where a name on the way may have to be written in another way, where an
  /// element may have become another one, and where a comparison would not look so deep.
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
      let isInOwnWay =
        unsafe name.isIdentity ? isInElement && child == place : name.needsPointerEscape
      guard !isInOwnWay, !tape[child - 1].has(JSONNode.escaped) else { return false }
      unsafe text.append(contentsOf: name)
      isInElement = false
    }
    return true
  }
}

extension [UInt8] {
  /// Appends a text of the program, which is no array whose references would be counted.
  fileprivate mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

extension JSONTape {
  /// How many elements an array has before one of them.
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
  fileprivate var isIdentity: Bool {
    unsafe equals("id") || equals("key") || equals("uuid")
  }

  fileprivate var needsPointerEscape: Bool {
    unsafe contains(UInt8(ascii: "~")) || contains(UInt8(ascii: "/"))
  }

  private func equals(_ text: StaticString) -> Bool {
    unsafe equals(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
