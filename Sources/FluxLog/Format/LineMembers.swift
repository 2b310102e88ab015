import FluxJSON

/// The name of a member that a line may have.
///
/// A literal, so that looking it up needs no string.
struct LiteralName: ExpressibleByStringLiteral, CustomStringConvertible, Equatable {
  let literal: StaticString

  @inline(__always)
  init(stringLiteral literal: StaticString) { self.literal = literal }

  var description: String { literal.description }

  static func == (left: LiteralName, right: LiteralName) -> Bool {
    left.description == right.description
  }

  /// The bytes of the literal, which lives as long as the program.
  @inline(__always)
  fileprivate var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
  }
}

/// The members of a line's object, or of an object in it, with checks of their types.
struct LineMembers {
  let object: JSON
  /// The name of the object in messages, such as `action.` for the members of `action`.
  private let prefix: String

  init(_ object: JSON, prefix: String = "") {
    self.object = object
    self.prefix = prefix.isEmpty ? "" : prefix + "."
  }

  /// Returns the member of any type; `nil` if it is absent.
  subscript(_ name: LiteralName) -> JSON? {
    guard object.kind == .object else { return nil }
    let place = object.document.withTape { unsafe $0.findByWalking(object.place, name.bytes) }
    return place.map { JSON(document: object.document, place: $0) }
  }

  var byteOffset: Int { object.byteOffset }

  func missing(_ name: LiteralName) -> LineFault {
    LineFault(problem: .missingMember(prefix + name.description), byte: object.byteOffset)
  }

  func wrongType(_ name: String, _ expected: String) -> LineFault {
    LineFault(
      problem: .wrongType(member: prefix + name, expected: expected),
      byte: (object[name] ?? object).byteOffset)
  }

  /// Returns a member that may be absent; `convert` returns `nil` if the value has the wrong type.
  func optional<Value>(
    _ name: LiteralName, _ expected: String, _ convert: (JSON) -> Value?
  ) throws(LineFault) -> Value? {
    guard let member = self[name] else { return nil }
    guard let value = convert(member) else { throw wrongType(name.description, expected) }
    return value
  }

  func required<Value: LineValue>(_ name: LiteralName) throws(LineFault) -> Value {
    guard let value: Value = try optional(name) else { throw missing(name) }
    return value
  }

  func optional<Value: LineValue>(_ name: LiteralName) throws(LineFault) -> Value? {
    try optional(name, Value.lineType, Value.read)
  }

  /// Returns the members of an object in this one; `nil` if it is absent.
  func object(_ name: LiteralName) throws(LineFault) -> LineMembers? {
    let object: JSON? = try optional(name)
    return object.map { LineMembers($0, prefix: prefix + name.description) }
  }

  /// Returns the value of a member with any name.
  func value<Value: LineValue>(of member: JSON.Member) throws(LineFault) -> Value {
    guard let value = Value.read(member.value) else {
      throw wrongType(member.name, Value.lineType)
    }
    return value
  }
}

extension JSON {
  /// The offset of the value in the line that it was read from.
  var byteOffset: Int { Int(node.start) }
}
