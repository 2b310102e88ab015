import Foundation

/// One decoding, which all its decoders and containers read from.
final class DecodingSession {
  let document: JSONDocument
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// The place at which coding paths start, and the path to that place.
  private let root: Int
  private let rootPath: [any CodingKey]

  private let acceptsTokens: Bool
  /// The innermost value whose `init(from:)` threw an error of the app, while it passes through the values around it.
  private var thrower: (place: Int, error: String)?

  init(
    _ json: JSON, userInfo: [CodingUserInfoKey: any Sendable], acceptsTokens: Bool = false,
    rootPath: [any CodingKey] = []
  ) {
    self.acceptsTokens = acceptsTokens
    document = json.document
    root = json.place
    self.userInfo = userInfo
    self.rootPath = rootPath
  }

  /// Returns a decoder that reads `null`, for a super-decoder whose member is missing.
  func null(_ path: [any CodingKey]) -> ValueDecoder {
    let json = JSON.null
    return ValueDecoder(
      session: DecodingSession(json, userInfo: userInfo, rootPath: path), place: json.place)
  }

  func kind(at place: Int) -> JSON.Kind { document.withTape { $0[place].kind } }

  /// `true` for the token of a redacted value, if the decoder accepts tokens.
  func isToken(at place: Int) -> Bool {
    acceptsTokens && JSON(document: document, place: place).isRedactionToken
  }

  // MARK: Errors

  /// Returns the coding path to a value.
  func path(to target: Int) -> [any CodingKey] {
    document.withTape { tape in
      var path = rootPath
      var place = root
      while place != target {
        let isObject = tape[place].kind == .object
        var child = place + (isObject ? 2 : 1)
        var index = 0
        // Places follow the order of the text. This finds the last child not after the target.
        while Int(tape[child].next) <= target {
          child = Int(tape[child].next) + (isObject ? 1 : 0)
          index += 1
        }
        path.append(
          isObject ? LogKey(stringValue: tape.string(child - 1)) : LogKey(intValue: index))
        place = child
      }
      return path
    }
  }

  private func context(_ place: Int, _ message: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: path(to: place), debugDescription: message)
  }

  func corrupted(_ place: Int, _ message: String) -> DecodingError {
    .dataCorrupted(context(place, message))
  }

  func mismatch(_ place: Int, _ type: Any.Type, expected: String) -> DecodingError {
    let kind = kind(at: place)
    if kind == .null {
      return .valueNotFound(type, context(place, "expected \(expected), found null"))
    }
    return .typeMismatch(
      type, context(place, "expected \(expected), found \(kind.described)"))
  }

  /// Notes the place of a value that threw, unless a value in it threw the same.
  private func noteThrower(_ place: Int, _ error: any Error) {
    let (end, text) = (document.withTape { Int($0[place].next) }, "\(error)")
    // A value may catch an error, and throw another one.
    if let thrower, (place..<end).contains(thrower.place), thrower.error == text { return }
    thrower = (place, text)
  }

  /// Returns the error of the outermost value; one that a value inside threw gets the path of that value.
  func located(_ error: any Error) -> any Error {
    guard !(error is DecodingError), let thrower, thrower.place != root else { return error }
    return DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: path(to: thrower.place), debugDescription: thrower.error,
        underlyingError: error))
  }

  func missing(_ key: some CodingKey, in place: Int) -> DecodingError {
    .keyNotFound(key, context(place, "there is no member \"\(key.stringValue)\""))
  }

  func bool(at place: Int) throws -> Bool {
    let node = document.withTape { $0[place] }
    guard node.kind == .bool else {
      if isToken(at: place) { return false }
      throw mismatch(place, Bool.self, expected: "true or false")
    }
    return node.end - node.start == 4
  }

  @inline(__always)
  func string(at place: Int) throws -> String {
    let found: String? = document.withTape { tape in
      tape[place].kind == .string ? tape.string(place) : nil
    }
    guard let found else { throw mismatch(place, String.self, expected: "a string") }
    return found
  }

  @inline(__always)
  func integer<I: FixedWidthInteger>(at place: Int) throws -> I {
    guard kind(at: place) == .number else {
      if isToken(at: place) { return 0 }
      throw mismatch(place, I.self, expected: "a number")
    }
    let value: I? = document.withTape { tape in
      let text = unsafe tape.span(place)
      if let short = unsafe Int64(shortDecimal: text) { return I(exactly: short) }
      return unsafe JSONDecimal(text).integer()
    }
    guard let value else { throw outOfRange(place, I.self) }
    return value
  }

  /// Returns the nearest number of the type.
  func float<F: BinaryFloatingPoint & LosslessStringConvertible>(at place: Int) throws -> F {
    let short: Double? = document.withTape { tape in
      guard tape[place].kind == .number else { return nil }
      return unsafe Double(shortDecimal: tape.span(place))
    }
    // If the nearest `Double` has the type's precision, no other number of the type is nearer.
    if let short, let value = F(exactly: short) { return value }
    let json = JSON(document: document, place: place)
    switch json.kind {
    case .number:
      guard let value = F(json.text), value.isFinite else { throw outOfRange(place, F.self) }
      return value
    default:
      guard let text = json.string, let value = Self.notFinite(text, F.self) else {
        if isToken(at: place) { return 0 }
        throw mismatch(place, F.self, expected: "a number")
      }
      return value
    }
  }

  /// Returns the number that is not finite for its text, or `nil` for other text.
  static func notFinite<F: BinaryFloatingPoint>(_ text: String, _ type: F.Type) -> F? {
    switch text {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }

  @inline(never)
  private func outOfRange(_ place: Int, _ type: Any.Type) -> DecodingError {
    let text = JSON(document: document, place: place).text
    // The number may be as long as the log. Its first digits are enough to find it.
    let shown = text.utf8.count > 60 ? text.prefix(60) + "…" : text[...]
    return corrupted(place, "\(shown) is not a value of \(type)")
  }

  /// Decodes a value; a few types are read here instead of by their own `init(from:)`.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, at place: Int) throws -> T {
    // The preceding comparison makes each cast one from a type to itself.
    if type == String.self { return try unsafe unsafeBitCast(string(at: place), to: T.self) }
    if type == Int.self {
      let value: Int = try integer(at: place)
      return unsafe unsafeBitCast(value, to: T.self)
    }
    if type == Double.self {
      let value: Double = try float(at: place)
      return unsafe unsafeBitCast(value, to: T.self)
    }
    if type == Bool.self { return try unsafe unsafeBitCast(bool(at: place), to: T.self) }
    return try decodeRare(type, at: place)
  }

  // Nothing here has the type `T?`. Looking up its metadata takes as long as reading a number.
  @inline(never)
  private func decodeRare<T: Decodable>(_ type: T.Type, at place: Int) throws -> T {
    /// Each case below makes this a cast from a type to itself.
    func known<Known>(_ value: Known) -> T { unsafe unsafeBitCast(value, to: T.self) }
    switch ObjectIdentifier(type) {
    case ObjectIdentifier(Float.self): return known(try float(at: place) as Float)
    case ObjectIdentifier(Int8.self): return known(try integer(at: place) as Int8)
    case ObjectIdentifier(Int16.self): return known(try integer(at: place) as Int16)
    case ObjectIdentifier(Int32.self): return known(try integer(at: place) as Int32)
    case ObjectIdentifier(Int64.self): return known(try integer(at: place) as Int64)
    case ObjectIdentifier(UInt.self): return known(try integer(at: place) as UInt)
    case ObjectIdentifier(UInt8.self): return known(try integer(at: place) as UInt8)
    case ObjectIdentifier(UInt16.self): return known(try integer(at: place) as UInt16)
    case ObjectIdentifier(UInt32.self): return known(try integer(at: place) as UInt32)
    case ObjectIdentifier(UInt64.self): return known(try integer(at: place) as UInt64)
    case ObjectIdentifier(Int128.self): return known(try integer(at: place) as Int128)
    case ObjectIdentifier(UInt128.self): return known(try integer(at: place) as UInt128)
    case ObjectIdentifier(Date.self): return known(try date(at: place))
    case ObjectIdentifier(Data.self): return known(try data(at: place))
    case ObjectIdentifier(URL.self): return known(try url(at: place))
    case ObjectIdentifier(Decimal.self): return known(try decimal(at: place))
    case ObjectIdentifier(UUID.self):
      if acceptsTokens, let uuid = tokenUUID(at: place) { return known(uuid) }
    default: break
    }
    do {
      return try T(from: ValueDecoder(session: self, place: place))
    } catch {
      if !(error is DecodingError) { noteThrower(place, error) }
      throw error
    }
  }

  /// Returns a UUID with the digits of a token, so values that differ stay different.
  private func tokenUUID(at place: Int) -> UUID? {
    guard isToken(at: place) else { return nil }
    let digits = JSON(document: document, place: place).text.filter(\.isHexDigit).suffix(16)
    return UUID(uuidString: "00000000-0000-4000-\(digits.prefix(4))-\(digits.suffix(12))")
  }

  private func date(at place: Int) throws -> Date {
    let json = JSON(document: document, place: place)
    if json.kind == .number { return Date(timeIntervalSinceReferenceDate: try float(at: place)) }
    let text = try string(at: place)
    if let seconds = ISO8601.seconds(text) { return Date(timeIntervalSinceReferenceDate: seconds) }
    // A date that is not finite was written as one of three strings.
    guard let seconds = Self.notFinite(text, Double.self) else {
      if isToken(at: place) { return Date(timeIntervalSinceReferenceDate: 0) }
      throw corrupted(place, "expected a date like 2026-11-20T12:00:00Z, found \"\(text)\"")
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private func data(at place: Int) throws -> Data {
    guard let data = Data(base64Encoded: try string(at: place)) else {
      if isToken(at: place) { return Data() }
      throw corrupted(place, "expected base64")
    }
    return data
  }

  private func url(at place: Int) throws -> URL {
    let text = try string(at: place)
    if isToken(at: place), let url = URL(string: "redacted:\(text.filter(\.isHexDigit).suffix(16))")
    {
      return url
    }
    guard let url = URL(string: text) else {
      throw corrupted(place, "expected a URL, found \"\(text)\"")
    }
    return url
  }

  private func decimal(at place: Int) throws -> Decimal {
    let json = JSON(document: document, place: place)
    if json.string == "NaN" { return .nan }
    guard json.kind == .number else {
      if isToken(at: place) { return 0 }
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
