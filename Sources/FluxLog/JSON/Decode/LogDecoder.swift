/// Reads values of `Codable` types from JSON: the other half of ``LogEncoder``.
///
/// Reads straight from the parsed text, and is as exact as that: an integer may be written as
/// `1.0` or `1e2`, a number that does not fit its type is an error, and not rounded to it. Dates
/// are read from ISO 8601 with any offset, or from a number of seconds since 2001; `Data` from
/// base64; numbers that are not finite from `"NaN"`, `"Infinity"` and `"-Infinity"`. Of repeated
/// names the last one counts.
public struct LogDecoder: Sendable {
  /// What the `init(from:)` of the types finds in their decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates a decoder.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    self.userInfo = userInfo
  }

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError` with the way to the value that is missing, of another type or out
  ///   of range; what the `init(from:)` of the types throws.
  public func decode<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T {
    let session = DecodingSession(json, userInfo: userInfo)
    return try session.decode(type, at: json.place)
  }
}
