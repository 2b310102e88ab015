struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let session: DecodingSession
  let place: Int
  /// `true` for a token instead of an object: it has no members, and each required one is the token.
  let isToken: Bool

  var codingPath: [any CodingKey] { session.path(to: place) }

  var allKeys: [Key] {
    if isToken { return [] }
    let names = session.document.withTape { tape in
      tape.distinctNames(place).sorted().map { tape.string($0) }
    }
    return names.compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  @inline(__always)
  private func find(_ key: Key) -> Int? {
    isToken ? nil : session.document.find(key.stringValue, in: place)
  }

  @inline(__always)
  private func require(_ key: Key) throws -> Int {
    guard let found = find(key) else {
      if isToken { return place }
      throw session.missing(key, in: place)
    }
    return found
  }

  /// Returns the place of a member's value, or `nil` if it is missing or null.
  @inline(__always)
  private func findValue(_ key: Key) -> Int? {
    guard let found = find(key), session.kind(at: found) != .null else { return nil }
    return found
  }

  // MARK: Values

  func decodeNil(forKey key: Key) throws -> Bool {
    if isToken { return true }
    return session.kind(at: try require(key)) == .null
  }

  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try member(type, key) }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try member(type, key) }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try member(type, key) }

  @inline(__always)
  private func member<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    try session.decode(type, at: require(key))
  }

  // The default implementations in the standard library look up the member three times.

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try findValue(key).map(session.bool)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try findValue(key).map { try session.string(at: $0) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try findValue(key).map { try session.float(at: $0) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try findValue(key).map { try session.integer(at: $0) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try findValue(key).map { try session.decode(type, at: $0) }
  }

  // MARK: Nested

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try ValueDecoder(session: session, place: require(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try ValueDecoder(session: session, place: require(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    superDecoder(LogKey.superclass)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    superDecoder(key)
  }

  /// Returns a decoder for a superclass; it reads `null` if there is no such member.
  private func superDecoder(_ key: some CodingKey) -> any Decoder {
    if isToken { return ValueDecoder(session: session, place: place) }
    guard let found = session.document.find(key.stringValue, in: place) else {
      return session.null(codingPath + [key])
    }
    return ValueDecoder(session: session, place: found)
  }
}
