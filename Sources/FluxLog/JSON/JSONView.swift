/// A parsed text that nothing owns: valid inside the call that it is handed to, and no longer.
///
/// It cannot be copied, so it cannot leave the call; what is taken from it are numbers, strings,
/// ranges of bytes and, with `json(at:)`, values of their own. A `Place` means nothing without it.
struct JSONView: ~Copyable {
  /// Where a value stands on the tape.
  struct Place: Equatable, Sendable {
    fileprivate let index: Int
  }

  private let tape: JSONTape

  fileprivate init(tape: JSONTape) { self.tape = tape }

  /// The value that the text is.
  var root: Place { Place(index: 0) }

  func kind(at place: Place) -> JSON.Kind { tape[place.index].kind }

  /// Where the value stands in the text, in bytes.
  func range(at place: Place) -> Range<Int> {
    Int(tape[place.index].start)..<Int(tape[place.index].end)
  }

  /// Whether an object in the value names a member twice.
  func hasDuplicateNames(at place: Place) -> Bool {
    tape[place.index].has(JSONNode.holdsRepeat)
  }

  /// The value of an object's member; of repeated names, the last one's.
  ///
  /// Walks over the members.
  func member(_ name: StaticString, of place: Place) -> Place? {
    guard kind(at: place) == .object else { return nil }
    // A static string lives as long as the process.
    let name = unsafe UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return unsafe tape.findByWalking(place.index, name).map(Place.init)
  }

  /// Calls `body` with name and value of each member as it is written, repeated ones too.
  func forEachMember<E>(
    of place: Place, _ body: (_ name: String, _ value: Place) throws(E) -> Void
  ) throws(E) {
    guard kind(at: place) == .object else { return }
    var name = place.index + 1
    while name < Int(tape[place.index].next) {
      try body(string(at: name), Place(index: name + 1))
      name = Int(tape[name + 1].next)
    }
  }

  /// Calls `body` with each element of an array.
  func forEachElement<E>(of place: Place, _ body: (Place) throws(E) -> Void) throws(E) {
    guard kind(at: place) == .array else { return }
    var element = place.index + 1
    while element < Int(tape[place.index].next) {
      try body(Place(index: element))
      element = Int(tape[element].next)
    }
  }

  func bool(at place: Place) -> Bool? {
    kind(at: place) == .bool ? range(at: place).count == 4 : nil
  }

  /// The string with its escapes resolved; see ``JSON/string``.
  func string(at place: Place) -> String? {
    kind(at: place) == .string ? string(at: place.index) : nil
  }

  private func string(at index: Int) -> String {
    let escaped = tape[index].has(JSONNode.escaped)
    return unsafe JSONString.decoded(tape.content(index), escaped: escaped)
  }

  /// The value of a number that is an integer in the range of the type.
  func integer<I: FixedWidthInteger>(_ type: I.Type, at place: Place) -> I? {
    guard kind(at: place) == .number else { return nil }
    return unsafe JSONDecimal(tape.span(place.index)).integer()
  }

  func number(at place: Place) -> JSONNumber? {
    guard kind(at: place) == .number else { return nil }
    return JSONNumber(checked: unsafe String(decoding: tape.span(place.index), as: UTF8.self))
  }

  /// A value that keeps itself alive, with a copy of its text.
  func json(at place: Place) throws(JSONError) -> JSON {
    try unsafe JSON.parse(tape.span(place.index))
  }
}

/// Parses one text after the other where they stand, with one tape for all.
///
/// For readers of many lines: nothing is allocated once the tape is as long as the longest line
/// needs.
struct JSONViewParser: ~Copyable {
  private var nodes = JSONTapeBuffer()

  /// Parses a text and calls `body` with it.
  ///
  /// The bytes have to stay as they are until the call returns; nothing keeps them after that.
  mutating func parse<R>(
    _ bytes: UnsafeRawBufferPointer, _ body: (borrowing JSONView) -> R
  ) throws(JSONError) -> R {
    let bytes = unsafe JSONBytes(bytes)
    try JSONParser.parse(bytes, into: &nodes)
    return body(JSONView(tape: nodes.tape(over: bytes)))
  }
}
