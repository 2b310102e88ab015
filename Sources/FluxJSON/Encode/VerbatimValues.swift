// Values whose text is known before encoding. `LogEncoder` copies that text. Other encoders receive
// the same value piece by piece.

extension JSON: Encodable {
  /// Encodes the value; ``LogEncoder`` copies its text at any nesting depth.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder {
      return try unsafe withBytes { text in
        try encoder.place.session.encodeScalar(at: encoder.place) { unsafe $0.append(text) }
      }
    }
    switch kind {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool:
      var container = encoder.singleValueContainer()
      try container.encode(bool ?? false)
    case .number:
      var container = encoder.singleValueContainer()
      if let integer = number?.int64 {
        try container.encode(integer)
      } else {
        try container.encode(number?.double ?? 0)
      }
    case .string:
      var container = encoder.singleValueContainer()
      try container.encode(string ?? "")
    case .array:
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object:
      try OrderedMembers(members.map { ($0.name, $0.value) }).encode(to: encoder)
    }
  }
}

/// The members of an object, in a given order.
///
/// ``LogEncoder`` keeps this order if its own order is ``LogEncoder/Order/declaration``.
public struct OrderedMembers<Value: Encodable>: Encodable {
  /// The names and values.
  public let members: [(name: String, value: Value)]

  /// Creates an object from its members.
  public init(_ members: [(name: String, value: Value)]) { self.members = members }

  /// Encodes the members as one object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: LogKey.self)
    for member in members {
      try container.encode(member.value, forKey: LogKey(stringValue: member.name))
    }
  }
}

extension OrderedMembers: Sendable where Value: Sendable {}

/// An optional value that is written as `null`, not omitted, if there is none.
public struct Nullable<Value: Encodable>: Encodable {
  /// The value, if there is one.
  public let value: Value?

  /// Wraps an optional value.
  public init(_ value: Value?) { self.value = value }

  /// Encodes the value or `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
