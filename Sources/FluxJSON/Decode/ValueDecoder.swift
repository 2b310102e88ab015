/// The decoder that `init(from:)` of a type receives.
struct ValueDecoder: Decoder {
  let session: DecodingSession
  let place: Int

  var codingPath: [any CodingKey] { session.path(to: place) }

  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard session.kind(at: place) == .object else {
      throw session.mismatch(place, [String: Any].self, expected: "an object")
    }
    return KeyedDecodingContainer(KeyedDecoding<Key>(session: session, place: place))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard session.kind(at: place) == .array else {
      throw session.mismatch(place, [Any].self, expected: "an array")
    }
    return UnkeyedDecoding(session: session, place: place)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleValueDecoding(session: session, place: place)
  }
}
