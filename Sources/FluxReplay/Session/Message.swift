package import FluxJSON
package import FluxLog

/// A reader for the members of a received object, which checks each type.
package struct Message {
  private let object: JSON
  /// The name of the object in error messages.
  private let subject: String

  package init(_ object: JSON, called subject: String) throws(MalformedMessage) {
    self.object = object
    self.subject = subject
    guard object.kind == .object else {
      throw MalformedMessage(subject: subject, member: nil, expected: "an object", found: object)
    }
  }

  package func optional<Value>(
    _ name: String, _ form: MemberForm<Value>
  ) throws(MalformedMessage) -> Value? {
    guard let member = object[name] else { return nil }
    guard let value = form.read(member) else { throw wrong(name, form.expected) }
    return value
  }

  package func required<Value>(
    _ name: String, _ form: MemberForm<Value>
  ) throws(MalformedMessage) -> Value {
    guard let value = try optional(name, form) else { throw wrong(name, form.expected) }
    return value
  }

  /// Returns the elements of an array, as `read` reads each; none if the array may be missing.
  package func list<Element>(
    _ name: String, isOptional: Bool = false,
    _ read: (JSON) throws(MalformedMessage) -> Element
  ) throws(MalformedMessage) -> [Element] {
    if isOptional, object[name] == nil { return [] }
    return try required(name, .array).elements.map(read)
  }

  /// Returns the error for a member of a wrong form, or a missing one.
  package func wrong(_ name: String, _ expected: String) -> MalformedMessage {
    MalformedMessage(subject: subject, member: name, expected: expected, found: object[name])
  }
}

/// The form of a member: its description in error messages, and a conversion that returns nil for any other.
package struct MemberForm<Value> {
  let expected: String
  let read: (JSON) -> Value?

  private init(_ expected: String, _ read: @escaping (JSON) -> Value?) {
    self.expected = expected
    self.read = read
  }
}

extension MemberForm<String> {
  package static var string: Self { Self("a string") { $0.string } }
}

extension MemberForm where Value: RawRepresentable<String> & CaseIterable {
  /// One of the cases, by its name.
  static var choice: Self {
    let names = Value.allCases.map(\.rawValue)
    return Self(names.joined(separator: names.count == 2 ? " or " : ", ")) {
      $0.string.flatMap(Value.init)
    }
  }
}

extension MemberForm<Bool> {
  package static var bool: Self { Self("true or false") { $0.bool } }
}

extension MemberForm<UInt64> {
  package static var integer: Self { Self("a whole number") { $0.number?.uint64 } }
}

extension MemberForm<Int64> {
  package static var signedInteger: Self { Self("a whole number") { $0.number?.int64 } }
}

extension MemberForm<Double> {
  static var tolerance: Self {
    Self("a number from 0 on, in the range of a double") { value in
      value.number.flatMap { $0.double >= 0 && $0.double.isFinite ? $0.double : nil }
    }
  }
}

extension MemberForm<LogTime> {
  static var time: Self {
    Self("a number of seconds from 0 on") { value in
      value.number.flatMap { LogTime(seconds: $0.text) }
    }
  }
}

extension MemberForm<LogInstant> {
  static var instant: Self {
    Self("a date and time with a zone") { $0.string.flatMap { LogInstant($0) } }
  }
}

extension MemberForm<JSON> {
  package static var any: Self { Self("a value") { $0 } }
  package static var object: Self { Self("an object") { $0.kind == .object ? $0 : nil } }
  package static var array: Self { Self("an array") { $0.kind == .array ? $0 : nil } }
}

extension MemberForm {
  private static func array<Element>(
    _ expected: String, of form: MemberForm<Element>
  ) -> Self where Value == [Element] {
    Self(expected) { value in
      guard value.kind == .array else { return nil }
      let elements = value.elements.compactMap(form.read)
      return elements.count == value.count ? elements : nil
    }
  }
}

extension MemberForm<[String]> {
  package static var strings: Self { array("an array of strings", of: .string) }
}

extension MemberForm<[LogTime]> {
  static var times: Self { array("an array of numbers of seconds", of: .time) }
}

extension MemberForm<[(String, String)]> {
  /// The members of an object of strings, in order.
  package static var stringsByName: Self {
    Self("an object of strings") { value in
      guard value.kind == .object else { return nil }
      let strings = value.members.compactMap { member in
        member.value.string.map { (member.name, $0) }
      }
      return strings.count == value.count ? strings : nil
    }
  }
}

extension MemberForm<StoreDictionary<JSON>> {
  package static var states: MemberForm<StoreDictionary<JSON>> {
    Self("an object") { $0.kind == .object ? StoreDictionary($0) : nil }
  }
}

/// A message that does not follow the protocol.
package struct MalformedMessage: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name of the expected message.
  package let subject: String
  /// The invalid member; nil if the whole message is invalid.
  package let member: String?
  package let expected: String
  /// The value that was found; nil if there was none.
  package let found: JSON?

  package init(subject: String, member: String?, expected: String, found: JSON?) {
    (self.subject, self.member, self.expected, self.found) = (subject, member, expected, found)
  }

  package var description: String {
    let place = member.map { "\"\($0)\" of \(subject)" } ?? subject
    guard let found else { return "\(place) is missing; expected \(expected)" }
    return "\(place) must be \(expected), found \(Excerpt.text(of: found, limit: 60))"
  }

  /// Returns what is read from a message, and turns the error into another one with the same text.
  package static func turned<Value, Failure: Error>(
    into failure: (String) -> Failure, _ read: @autoclosure () throws(MalformedMessage) -> Value
  ) throws(Failure) -> Value {
    do throws(MalformedMessage) {
      return try read()
    } catch {
      throw failure(error.description)
    }
  }
}

// MARK: Writing

extension JSON {
  /// Encodes a message or a report, with the members in the order of their declaration.
  ///
  /// - Precondition: The value encodes something that nests at most ``JSON/maximumDepth`` levels deep.
  package init(message: some Encodable) {
    do {
      self = try LogEncoder(order: .declaration).encode(message)
    } catch {
      preconditionFailure("the message is not a JSON value: \(error)")
    }
  }
}

extension KeyedEncodingContainer {
  /// Encodes a collection, or nothing if it is empty.
  mutating func encode(nonEmpty values: some Collection & Encodable, forKey key: Key) throws {
    if !values.isEmpty { try encode(values, forKey: key) }
  }

  /// Encodes names and values as an object in their order.
  mutating func encode<Value: Encodable>(
    _ members: [(key: String, value: Value)], forKey key: Key
  ) throws {
    try encode(OrderedMembers(members.map { ($0.key, $0.value) }), forKey: key)
  }

  /// Encodes a time as seconds with six decimals.
  mutating func encode(_ time: LogTime, forKey key: Key) throws {
    try encode(time.json, forKey: key)
  }
}
