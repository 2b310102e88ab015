extension QueryParser {
  /// Parses a string in single or double quotes (RFC 9535, section 2.3.1.1).
  mutating func quotedString() throws(QueryError) -> String {
    let start = offset
    guard let quote = current else { throw unexpected("a string") }
    offset += 1
    var value = String.UnicodeScalarView()
    while let scalar = current {
      guard scalar != quote else {
        offset += 1
        return String(value)
      }
      guard scalar.value >= 0x20 else {
        throw failure("a control character in a string", hint: "write it as an escape")
      }
      if scalar == "\\" {
        value.append(try escape(quote: quote))
      } else {
        value.append(scalar)
        offset += 1
      }
    }
    throw failure("this string has no closing \(quote)", at: start)
  }

  private mutating func escape(quote: Unicode.Scalar) throws(QueryError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard let letter = current else { throw failure("an escape that is cut off", at: start) }
    offset += 1
    switch letter {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/", "\\", quote: return letter
    case "u": return try codePoint(start: start)
    default: throw failure("'\\\(letter)' is not an escape", at: start)
    }
  }

  /// Parses the rest of a `\u` escape.
  ///
  /// It consists of four hexadecimal digits. A second escape must follow a high surrogate.
  private mutating func codePoint(start: Int) throws(QueryError) -> Unicode.Scalar {
    let first = try hexadecimal(start: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\u") else {
      throw failure("half of a surrogate pair", at: start)
    }
    let second = try hexadecimal(start: start)
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure("half of a surrogate pair", at: start) }
    return scalar
  }

  private mutating func hexadecimal(start: Int) throws(QueryError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = current, scalar.isASCII,
        let digit = Character(scalar).hexDigitValue
      else { throw failure("'\\u' needs four hexadecimal digits", at: start) }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}
