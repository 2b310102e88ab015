public import FluxJSON
import FluxLog

/// A reader for the members of a received object, which checks each type.
struct Message {
  private let object: JSON
  /// The name of the object in error messages.
  private let subject: String

  init(_ object: JSON, called subject: String) throws(MalformedMessage) {
    self.object = object
    self.subject = subject
    guard object.kind == .object else {
      throw MalformedMessage(subject: subject, member: nil, expected: "an object", found: object)
    }
  }

  private func optional<Value>(
    _ name: String, _ expected: String, _ convert: (JSON) -> Value?
  ) throws(MalformedMessage) -> Value? {
    guard let member = object[name] else { return nil }
    guard let value = convert(member) else {
      throw MalformedMessage(subject: subject, member: name, expected: expected, found: member)
    }
    return value
  }

  private func required<Value>(
    _ name: String, _ expected: String, _ convert: (JSON) -> Value?
  ) throws(MalformedMessage) -> Value {
    guard let value = try optional(name, expected, convert) else {
      throw MalformedMessage(subject: subject, member: name, expected: expected, found: nil)
    }
    return value
  }

  func string(_ name: String) throws(MalformedMessage) -> String {
    try required(name, "a string") { $0.string }
  }

  func optionalString(_ name: String) throws(MalformedMessage) -> String? {
    try optional(name, "a string") { $0.string }
  }

  func optionalBool(_ name: String) throws(MalformedMessage) -> Bool? {
    try optional(name, "true or false") { $0.bool }
  }

  func integer(_ name: String) throws(MalformedMessage) -> UInt64 {
    try required(name, "a whole number") { $0.number?.uint64 }
  }

  func optionalInteger(_ name: String) throws(MalformedMessage) -> UInt64? {
    try optional(name, "a whole number") { $0.number?.uint64 }
  }

  func optionalSeconds(_ name: String) throws(MalformedMessage) -> Double? {
    try optional(name, "a number of seconds") { value in
      value.number.flatMap { $0.double >= 0 ? $0.double : nil }
    }
  }

  func time(_ name: String) throws(MalformedMessage) -> LogTime {
    try required(name, "a number of seconds from 0 on") { value in
      value.number.flatMap { LogTime(seconds: $0.text) }
    }
  }

  func object(_ name: String) throws(MalformedMessage) -> JSON {
    try required(name, "an object", Self.object)
  }

  func optionalObject(_ name: String) throws(MalformedMessage) -> JSON? {
    try optional(name, "an object", Self.object)
  }

  func array(_ name: String) throws(MalformedMessage) -> JSON {
    try required(name, "an array", Self.array)
  }

  func optionalArray(_ name: String) throws(MalformedMessage) -> JSON? {
    try optional(name, "an array", Self.array)
  }

  func strings(_ name: String) throws(MalformedMessage) -> [String] {
    try required(name, "an array of strings", Self.strings)
  }

  func optionalStrings(_ name: String) throws(MalformedMessage) -> [String] {
    try optional(name, "an array of strings", Self.strings) ?? []
  }

  /// Reads an object of strings, in order.
  func optionalStringsByName(_ name: String) throws(MalformedMessage) -> [(String, String)] {
    try optional(name, "an object of strings") { value in
      var strings: [(String, String)] = []
      guard value.kind == .object else { return nil }
      for member in value.members {
        guard let string = member.value.string else { return nil }
        strings.append((member.name, string))
      }
      return strings
    } ?? []
  }

  private static func object(_ value: JSON) -> JSON? { value.kind == .object ? value : nil }

  private static func array(_ value: JSON) -> JSON? { value.kind == .array ? value : nil }

  private static func strings(_ value: JSON) -> [String]? {
    guard value.kind == .array else { return nil }
    let strings = value.elements.compactMap(\.string)
    return strings.count == value.count ? strings : nil
  }
}

/// A message that does not follow the protocol.
public struct MalformedMessage: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name of the expected message.
  public let subject: String
  /// The invalid member; nil if the whole message is invalid.
  public let member: String?
  /// The expected value.
  public let expected: String
  /// The value that was found; nil if there was none.
  public let found: JSON?

  /// The problem and the expected value.
  public var description: String {
    let place = member.map { "\"\($0)\" of \(subject)" } ?? subject
    guard let found else { return "\(place) is missing; expected \(expected)" }
    return "\(place) must be \(expected), found \(Excerpt.text(of: found, limit: 60))"
  }
}
