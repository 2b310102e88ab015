import Foundation

extension DecodingSession {
  /// Decodes a value; a few types are read here instead of by their own `init(from:)`.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, at place: Int) throws -> T {
    // The preceding comparison makes each cast one from a type to itself.
    if type == String.self { return try unsafe unsafeBitCast(string(at: place), to: T.self) }
    if type == Int.self {
      let value: Int = try integer(at: place)
      return unsafe unsafeBitCast(value, to: T.self)
    }
    if type == Double.self { return try unsafe unsafeBitCast(double(at: place), to: T.self) }
    if type == Bool.self { return try unsafe unsafeBitCast(bool(at: place), to: T.self) }
    // Nothing here has the type `T?`. Looking up its metadata takes as long as reading a number.
    if type == Date.self { return try unsafe unsafeBitCast(date(at: place), to: T.self) }
    if type == Data.self { return try unsafe unsafeBitCast(data(at: place), to: T.self) }
    if type == URL.self { return try unsafe unsafeBitCast(url(at: place), to: T.self) }
    if type == Decimal.self { return try unsafe unsafeBitCast(decimal(at: place), to: T.self) }
    return try T(from: ValueDecoder(session: self, place: place))
  }

  private func date(at place: Int) throws -> Date {
    let json = JSON(document: document, place: place)
    if json.kind == .number { return Date(timeIntervalSinceReferenceDate: try double(at: place)) }
    let text = try string(at: place)
    if let seconds = ISO8601.seconds(text) { return Date(timeIntervalSinceReferenceDate: seconds) }
    // A date that is not finite was written as one of three strings.
    guard let seconds = Self.notFinite(text, Double.self) else {
      throw corrupted(place, "expected a date like 2026-11-20T12:00:00Z, found \"\(text)\"")
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private func data(at place: Int) throws -> Data {
    guard let data = Data(base64Encoded: try string(at: place)) else {
      throw corrupted(place, "expected base64")
    }
    return data
  }

  private func url(at place: Int) throws -> URL {
    let text = try string(at: place)
    guard let url = URL(string: text) else {
      throw corrupted(place, "expected a URL, found \"\(text)\"")
    }
    return url
  }

  private func decimal(at place: Int) throws -> Decimal {
    let json = JSON(document: document, place: place)
    if json.string == "NaN" { return .nan }
    guard json.kind == .number else {
      throw mismatch(place, Decimal.self, expected: "a number")
    }
    let power = unsafe json.withBytes { unsafe JSONDecimal($0).decimalPower }
    guard let power else { return 0 }
    // A Decimal has 38 digits and exponents from -128 to 127. Foundation's parser loops up to the
    // exponent, so this rejects larger ones first.
    guard (-180...180).contains(power), let value = Decimal(string: json.text), value.isFinite
    else {
      throw corrupted(place, "\(json.text.prefix(60)) is not a value of Decimal")
    }
    return value
  }
}
