/// Reads values of `Codable` types from JSON; the counterpart of ``LogEncoder``.
///
/// The decoder reads the parsed text without loss. An integer may be written as `1.0` or `1e2`. An
/// integer with a fraction, or a number that its type cannot hold, is an error. Dates are ISO 8601
/// with any offset, or a number of seconds since 2001. `Data` is base64. Numbers that are not
/// finite are `"NaN"`, `"Infinity"` and `"-Infinity"`. If a name is repeated, the last member
/// counts.
public struct LogDecoder: Sendable {
  /// The `userInfo` that types find in their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// `true` to decode the tokens of redacted values as what the decoded types ask for.
  ///
  /// A token becomes 0, `false`, the token, an empty array or dictionary, or a struct that is made of
  /// such values, with nil for its optionals. A date is the beginning of 2001, data is empty, a UUID
  /// begins with `00000000-0000-4000-` and a URL with `redacted:`. An enum, and a type that refuses
  /// the value, fails.
  package var acceptsTokens = false

  /// Creates a decoder.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    self.userInfo = userInfo
  }

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError` with the coding path to a value that is missing, of another type
  ///   or out of range. Also any error that the value's `init(from:)` throws; that of a value inside it is the
  ///   underlying error of a `DecodingError` with the path.
  public func decode<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T {
    let session = DecodingSession(json, userInfo: userInfo, acceptsTokens: acceptsTokens)
    do {
      return try session.decode(type, at: json.place)
    } catch {
      throw session.located(error)
    }
  }
}

// As when encoding, one generic method of each container decodes the values of all types but 128-bit integers.

struct ValueDecoder: Decoder {
  let session: DecodingSession
  let place: Int

  var codingPath: [any CodingKey] { session.path(to: place) }

  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let isToken = session.isToken(at: place)
    guard isToken || session.kind(at: place) == .object else {
      throw session.mismatch(place, [String: Any].self, expected: "an object")
    }
    return KeyedDecodingContainer(
      KeyedDecoding<Key>(session: session, place: place, isToken: isToken))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let isToken = session.isToken(at: place)
    guard isToken || session.kind(at: place) == .array else {
      throw session.mismatch(place, [Any].self, expected: "an array")
    }
    return UnkeyedDecoding(session: session, place: place, isToken: isToken)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleValueDecoding(session: session, place: place)
  }
}

struct SingleValueDecoding: SingleValueDecodingContainer {
  let session: DecodingSession
  let place: Int

  var codingPath: [any CodingKey] { session.path(to: place) }

  func decodeNil() -> Bool { session.kind(at: place) == .null }

  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try session.decode(type, at: place) }

  func decode(_ type: Int128.Type) throws -> Int128 { try session.decode(type, at: place) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try session.decode(type, at: place) }
}

extension [any CodingKey] {
  /// The path as people write it: `breakpoints[1].line`.
  package var dotted: String {
    reduce(into: "") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
    }
  }
}
