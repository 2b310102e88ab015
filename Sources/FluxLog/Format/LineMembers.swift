/// The members of a line's object, or of an object in it, each checked for its type.
struct LineMembers {
  private let object: JSON
  /// Names the object in messages: `action` for the members of `action`.
  private let prefix: String
  private let names: NameSketch

  init(_ object: JSON, prefix: String = "") {
    self.object = object
    self.prefix = prefix.isEmpty ? "" : prefix + "."
    names = NameSketch(of: object)
  }

  /// The member, whatever it is.
  subscript(_ name: String) -> JSON? {
    // Most members that a line may have are not there: to look for each of them in vain took a third
    // of the reading of a step.
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

  /// A member that may be absent; `convert` returns nil where it is not as expected.
  func optional<Value>(
    _ name: String, _ expected: String, _ convert: (JSON) -> Value?
  ) throws(LineFault) -> Value? {
    guard let member = self[name] else { return nil }
    guard let value = convert(member) else { throw wrongType(name, expected) }
    return value
  }

  /// A member that has to be there.
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
    // `nil` alone would be the value null.
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

/// Which names an object may have, in 64 bits: by the first byte and the length of each.
private struct NameSketch {
  private var bits: UInt64 = 0

  init(of object: JSON) {
    guard object.kind == .object else { return }
    bits = object.document.withTape { tape in
      var bits: UInt64 = 0
      var name = object.place + 1
      while name < Int(tape[object.place].next) {
        // What a name with escapes says is for others to find out.
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
  /// Where the value begins in the line that it was read from.
  var byteOffset: Int { Int(node.start) }

  /// A number that can be counted on from without overflow.
  fileprivate var wholeNumber: UInt64? {
    number?.int64.flatMap { UInt64(exactly: $0) }
  }
}
