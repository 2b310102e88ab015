/// Finds the members of a `Decodable` type: a decoder that notes what the type asks for, and answers with samples.
///
/// So a synthesized `init(from:)` is the one description of a type's members.
final class ShapeReader: Decoder {
  /// The key whose presence was asked for last: what the type decodes only if it is there.
  private var optional: String?
  private var found: [(name: String, shape: Shape, isRequired: Bool)] = []
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Returns the members of a type, each with its sentence.
  static func members(
    of type: any Decodable.Type, about: KeyValuePairs<String, String>
  ) -> [Shape.Member] {
    let reader = ShapeReader()
    reader.read(type)
    return reader.found.map { member in
      Shape.Member(
        name: member.name, shape: member.shape, isRequired: member.isRequired,
        about: about.first { $0.key == member.name }?.value ?? "")
    }
  }

  /// Returns the form of a type.
  static func shape(of type: any Decodable.Type) -> Shape {
    if let type = type as? any Described.Type { return type.shape }
    if let type = type as? any Shaped.Type { return type.shape }
    return .object(members(of: type, about: [:]))
  }

  private func read(_ type: any Decodable.Type) {
    do {
      _ = try type.init(from: self)
    } catch {
      preconditionFailure("\(type) has members that no schema is known for: \(error)")
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Members<Key>(reader: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unknown() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unknown() }

  private struct Unknown: Error {}

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: ShapeReader
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    /// Called by the standard library's `decodeIfPresent` for each simple type.
    func contains(_ key: Key) -> Bool {
      reader.optional = key.stringValue
      return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    private func note<T: Decodable>(_ type: T.Type, _ key: Key, isRequired: Bool) throws -> T {
      reader.found.append((key.stringValue, ShapeReader.shape(of: type), isRequired))
      if let shaped = type as? any Shaped.Type, let sample = shaped.sample as? T { return sample }
      return try T(from: ShapeReader())
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try note(type, key, isRequired: reader.optional != key.stringValue)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
      try note(type, key, isRequired: false)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw Unknown() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw Unknown()
    }

    func superDecoder() throws -> any Decoder { throw Unknown() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw Unknown() }
  }
}
