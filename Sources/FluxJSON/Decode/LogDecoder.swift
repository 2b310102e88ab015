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

  /// Creates a decoder.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    self.userInfo = userInfo
  }

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError` with the coding path to a value that is missing, of another type
  ///   or out of range. Also any error that an `init(from:)` throws.
  public func decode<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T {
    let session = DecodingSession(json, userInfo: userInfo)
    return try session.decode(type, at: json.place)
  }
}
