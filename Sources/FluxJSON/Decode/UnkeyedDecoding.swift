struct UnkeyedDecoding: UnkeyedDecodingContainer {
  private let session: DecodingSession
  private let place: Int
  private var next: Int
  private let end: Int
  private(set) var currentIndex = 0

  /// Reads an array; `isToken` if it is a token instead, which has no elements.
  init(session: DecodingSession, place: Int, isToken: Bool) {
    self.session = session
    self.place = place
    next = place + 1
    end = isToken ? place + 1 : session.document.withTape { Int($0[place].next) }
  }

  var codingPath: [any CodingKey] { session.path(to: place) }

  var count: Int? { end == place + 1 ? 0 : session.document.withTape { $0.writtenCount(place) } }

  var isAtEnd: Bool { next == end }

  @inline(__always)
  private mutating func element<T>(_ read: (DecodingSession, Int) throws -> T) throws -> T {
    guard next < end else { throw atEnd(T.self) }
    let value = try read(session, next)
    advance()
    return value
  }

  @inline(__always)
  private mutating func advance() {
    next = session.document.withTape { Int($0[next].next) }
    currentIndex += 1
  }

  private func atEnd(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath + [LogKey(intValue: currentIndex)],
        debugDescription: "the array has no more than \(currentIndex) elements"))
  }

  // MARK: Values

  mutating func decodeNil() throws -> Bool {
    guard next < end else { throw atEnd(Never?.self) }
    guard session.kind(at: next) == .null else { return false }
    advance()
    return true
  }

  @inline(__always)
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try element { try $0.decode(type, at: $1) }
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try element { try $0.decode(type, at: $1) }
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try element { try $0.decode(type, at: $1) }
  }

  // MARK: Nested

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try element { try ValueDecoder(session: $0, place: $1).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try element { try ValueDecoder(session: $0, place: $1).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try element { ValueDecoder(session: $0, place: $1) }
  }
}
