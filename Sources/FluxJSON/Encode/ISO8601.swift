/// Dates as text: ISO 8601 in UTC, with the decimals needed to read back the same number.
///
/// The conversion works on the shortest decimal digits of the number, not on the number. A sum of
/// seconds and days as `Double` would lose its last bits. All dates use the Gregorian calendar.
enum ISO8601 {
  /// Seconds from 1970-01-01 to 2001-01-01, the reference date of Foundation.
  static let referenceSeconds: Int64 = 978_307_200

  /// Returns the text of a date in seconds since 2001; `nil` if the number has no such text.
  ///
  /// That is the case for minus zero, numbers that are not finite, and magnitudes of 2^62 or more.
  static func text(_ seconds: Double) -> String? {
    guard seconds.magnitude < 0x1p62, seconds != 0 || seconds.sign == .plus else { return nil }
    var (whole, fraction) = split(seconds.magnitude.description)
    if seconds < 0 {
      whole = -whole
      if !fraction.isEmpty {
        // -1.25 is 0.75 after -2.
        whole -= 1
        fraction = complement(fraction)
      }
    }
    return text(whole + referenceSeconds, fraction)
  }

  private static func text(_ seconds: Int64, _ fraction: [UInt8]) -> String {
    let day = floorDivide(seconds, 86_400)
    let second = seconds - day * 86_400
    let date = CivilDate(day: day)
    let sign = (0...9999).contains(date.year) ? "" : date.year < 0 ? "-" : "+"
    var text = sign + digits(Int64(date.year.magnitude), sign.isEmpty ? 4 : 6)
    text += "-" + digits(date.month, 2) + "-" + digits(date.day, 2)
    text += "T" + digits(second / 3600, 2) + ":" + digits(second / 60 % 60, 2)
    text += ":" + digits(second % 60, 2)
    if !fraction.isEmpty {
      text += "." + String(decoding: fraction.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }
    return text + "Z"
  }

  private static func digits(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }

  static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Splits a number that is not negative, in Swift's notation, at its decimal point.
  ///
  /// The fraction has no trailing zeros.
  private static func split(_ description: String) -> (whole: Int64, fraction: [UInt8]) {
    let parts = description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    var whole = mantissa[0].utf8.map { $0 - UInt8(ascii: "0") }
    var fraction = mantissa.count > 1 ? mantissa[1].utf8.map { $0 - UInt8(ascii: "0") } : []
    if exponent > 0 {
      let missing = max(0, exponent - fraction.count)
      let moved = (fraction + Array(repeating: 0, count: missing)).prefix(exponent)
      whole += moved
      fraction = Array(fraction.dropFirst(exponent))
    } else if exponent < 0 {
      let padded = Array(repeating: 0, count: max(0, -exponent - whole.count)) + whole
      fraction = padded.suffix(-exponent) + fraction
      whole = Array(padded.dropLast(-exponent))
    }
    while fraction.last == 0 { fraction.removeLast() }
    return (whole.reduce(0) { $0 * 10 + Int64($1) }, fraction)
  }

  /// Returns one minus the fraction: nine minus each digit, and ten minus the last one.
  ///
  /// The last digit must not be 0.
  static func complement(_ fraction: [UInt8]) -> [UInt8] {
    var result = fraction.map { 9 - $0 }
    result[result.count - 1] += 1
    return result
  }
}
