import FluxJSON

/// The members of a line's object, or of an object in it, with checks of their types.
struct LineMembers {
  private let object: JSON
  /// The name of the object in messages, such as `action.` for the members of `action`.
  private let prefix: String
  private let names: NameSketch

  init(_ object: JSON, prefix: String = "") {
    self.object = object
    self.prefix = prefix.isEmpty ? "" : prefix + "."
    names = NameSketch(of: object)
  }

  /// Returns the member of any type; `nil` if it is absent.
  subscript(_ name: String) -> JSON? {
    // Most optional members are absent. Looking up each of them took a third of the time of reading
    // a step.
    names.mayContain(name) ? object[name] : nil
  }

  func missing(_ name: String) -> LineFault {
    LineFault(problem: .missingMember(prefix + name), byte: object.byteOffset)
  }

  func wrongType(_ name: String, _ expected: String) -> LineFault {
    LineFault(
      problem: .wrongType(member: prefix + name, expected: expected),
      byte: (object[name] ?? object).byteOffset)
  }

  /// Returns a member that may be absent; `convert` returns `nil` if the value has the wrong type.
  func optional<Value>(
    _ name: String, _ expected: String, _ convert: (JSON) -> Value?
  ) throws(LineFault) -> Value? {
    guard let member = self[name] else { return nil }
    guard let value = convert(member) else { throw wrongType(name, expected) }
    return value
  }

  func required<Value>(
    _ name: String, _ expected: String, _ convert: (JSON) -> Value?
  ) throws(LineFault) -> Value {
    guard let value = try optional(name, expected, convert) else { throw missing(name) }
    return value
  }

  func string(_ name: String) throws(LineFault) -> String {
    try required(name, "a string") { $0.string }
  }

  func optionalString(_ name: String) throws(LineFault) -> String? {
    try optional(name, "a string") { $0.string }
  }

  func integer(_ name: String) throws(LineFault) -> UInt64 {
    try required(name, "a whole number", \.wholeNumber)
  }

  func optionalInteger(_ name: String) throws(LineFault) -> UInt64? {
    try optional(name, "a whole number", \.wholeNumber)
  }

  func optionalBool(_ name: String) throws(LineFault) -> Bool? {
    try optional(name, "true or false") { $0.bool }
  }

  func optionalObject(_ name: String) throws(LineFault) -> JSON? {
    // A bare `nil` would be the JSON value null.
    try optional(name, "an object") { $0.kind == .object ? $0 : JSON?.none }
  }

  func optionalStrings(_ name: String) throws(LineFault) -> [String]? {
    try optional(name, "an array of strings") { array in
      guard array.kind == .array else { return nil }
      let strings = array.elements.compactMap(\.string)
      return strings.count == array.count ? strings : nil
    }
  }

  func time(_ name: String) throws(LineFault) -> LogTime {
    try required(name, "a number of seconds, 0 or more") { value in
      value.kind == .number ? LogTime(seconds: value.text) : nil
    }
  }
}

/// A Bloom filter of an object's member names: 64 bits, keyed by the first byte and the length of
/// each name.
private struct NameSketch {
  private var bits: UInt64 = 0

  init(of object: JSON) {
    guard object.kind == .object else { return }
    bits = object.document.withTape { tape in
      var bits: UInt64 = 0
      var name = object.place + 1
      while name < Int(tape[object.place].next) {
        // A name with escapes is not decoded here: any name may be present.
        if tape[name].has(JSONNode.escaped) { return .max }
        let count = Int(tape[name].end) - Int(tape[name].start) - 2
        bits |= Self.bit(count > 0 ? unsafe tape.content(name)[0] : 0, count)
        name = Int(tape[name + 1].next)
      }
      return bits
    }
  }

  func mayContain(_ name: String) -> Bool {
    bits & Self.bit(name.utf8.first ?? 0, name.utf8.count) != 0
  }

  private static func bit(_ first: UInt8, _ count: Int) -> UInt64 {
    1 << UInt64((Int(first) &+ 5 &* count) & 63)
  }
}

extension JSON {
  /// The offset of the value in the line that it was read from.
  var byteOffset: Int { Int(node.start) }

  /// A number that is small enough to count up from without overflow; `nil` for any other value.
  fileprivate var wholeNumber: UInt64? {
    number?.int64.flatMap { UInt64(exactly: $0) }
  }
}
