import FluxJSON

/// The name of a member that a line may have.
///
/// A literal, so that looking it up needs no string.
struct MemberName: ExpressibleByStringLiteral, CustomStringConvertible {
  let literal: StaticString

  @inline(__always)
  init(stringLiteral literal: StaticString) { self.literal = literal }

  var description: String { literal.description }

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
  private let places: MemberPlaces

  init(_ object: JSON, prefix: String = "") {
    self.object = object
    self.prefix = prefix.isEmpty ? "" : prefix + "."
    places = MemberPlaces(of: object)
  }

  /// Returns the member of any type; `nil` if it is absent.
  subscript(_ name: MemberName) -> JSON? {
    switch places.find(name, in: object) {
    case .none: nil
    case .value(let place): JSON(document: object.document, place: place)
    case .several: object[name.description]
    }
  }

  /// The offset of the object in the line.
  var byteOffset: Int { object.byteOffset }

  func missing(_ name: MemberName) -> LineFault {
    LineFault(problem: .missingMember(prefix + name.description), byte: object.byteOffset)
  }

  func wrongType(_ name: String, _ expected: String) -> LineFault {
    LineFault(
      problem: .wrongType(member: prefix + name, expected: expected),
      byte: (object[name] ?? object).byteOffset)
  }

  /// Returns a member that may be absent; `convert` returns `nil` if the value has the wrong type.
  func optional<Value>(
    _ name: MemberName, _ expected: String, _ convert: (JSON) -> Value?
  ) throws(LineFault) -> Value? {
    guard let member = self[name] else { return nil }
    guard let value = convert(member) else { throw wrongType(name.description, expected) }
    return value
  }

  func required<Value>(
    _ name: MemberName, _ expected: String, _ convert: (JSON) -> Value?
  ) throws(LineFault) -> Value {
    guard let value = try optional(name, expected, convert) else { throw missing(name) }
    return value
  }

  func required<Value: LineValue>(_ name: MemberName) throws(LineFault) -> Value {
    try required(name, Value.lineType, Value.read)
  }

  func optional<Value: LineValue>(_ name: MemberName) throws(LineFault) -> Value? {
    try optional(name, Value.lineType, Value.read)
  }

  /// Returns the members of an object in this one; `nil` if it is absent.
  func object(_ name: MemberName) throws(LineFault) -> LineMembers? {
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

/// The places of an object's members, found in one pass over their names.
///
/// Most members of a line are optional and absent. Looking up each of them by its name took a third of
/// the time of reading a step.
private struct MemberPlaces {
  enum Found {
    case none
    case value(Int)
    /// Only a search of the object can tell.
    case several
  }

  /// The places of names by their slots; no name has the place 0, which is that of the line.
  private var places = SIMD64<UInt32>()
  /// The slots of several names.
  private var shared: UInt64 = 0

  init(of object: JSON) {
    guard object.kind == .object else { return }
    self = object.document.withTape { tape in
      var found = MemberPlaces()
      let end = Int(tape[object.place].next)
      var name = object.place + 1
      while name < end {
        // A name with escapes is not decoded here: any name may be present.
        guard !tape[name].has(JSONNode.escaped) else { return .unknown }
        let slot = unsafe Self.slot(tape.content(name))
        if found.places[slot] != 0 { found.shared |= 1 << UInt64(slot) }
        found.places[slot] = UInt32(truncatingIfNeeded: name)
        name = Int(tape[name + 1].next)
      }
      return found
    }
  }

  private init() {}

  private static var unknown: MemberPlaces {
    var places = MemberPlaces()
    places.shared = .max
    return places
  }

  @inline(__always)
  func find(_ name: MemberName, in object: JSON) -> Found {
    let bytes = unsafe name.bytes
    let slot = unsafe Self.slot(bytes)
    guard shared & (1 << UInt64(slot)) == 0 else { return .several }
    let place = Int(places[slot])
    guard place > 0 else { return .none }
    let isEqual = object.document.withTape { unsafe $0.content(place).equals(bytes) }
    return isEqual ? .value(place + 1) : .none
  }

  /// Returns a number below 64 from the first byte and the length of a name.
  @inline(__always)
  private static func slot(_ name: UnsafeRawBufferPointer) -> Int {
    let first = unsafe name.isEmpty ? 0 : Int(name[0])
    return (first &+ 5 &* name.count) & 63
  }
}

extension JSON {
  /// The offset of the value in the line that it was read from.
  var byteOffset: Int { Int(node.start) }
}
