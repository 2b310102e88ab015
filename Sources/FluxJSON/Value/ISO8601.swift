/// Dates as text: ISO 8601 in UTC, with the decimals needed to read back the same number.
///
/// The conversion works on the shortest decimal digits of the number, not on the number. A sum of
/// seconds and days as `Double` would lose its last bits. All dates use the Gregorian calendar.
package enum ISO8601 {
  /// Seconds from 1970-01-01 to 2001-01-01, the reference date of Foundation.
  static let referenceSeconds: Int64 = 978_307_200

  /// Returns the text of a date in seconds since 2001; `nil` if the number has no such text.
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

  /// Returns the text of a date in seconds since 1970, and the digits of a fraction.
  package static func text(_ seconds: Int64, _ fraction: [UInt8]) -> String {
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

  package static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Splits a number that is not negative, in Swift's notation, at its decimal point.
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

  /// Returns the seconds since 2001 for an ISO 8601 date; `nil` for other text.
  ///
  /// Examples are `2026-11-20T12:00:00.25Z` and `2026-11-20T12:00:00+01:00`. A year has four
  /// digits, or a sign and at least six digits.
  static func seconds(_ text: String) -> Double? {
    instant(text).flatMap { number($0.seconds - referenceSeconds, $0.fraction) }
  }

  /// Returns the seconds since 1970 and the digits of their fraction; `nil` for other text.
  package static func instant(_ text: String) -> (seconds: Int64, fraction: [UInt8])? {
    var reader = Reader(bytes: Array(text.utf8))
    guard let date = reader.date(), reader.skip("T"), let second = reader.timeOfDay(),
      let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    return (date.daysSince1970 * 86_400 + second - offset, fraction)
  }

  private static func number(_ whole: Int64, _ fraction: [UInt8]) -> Double? {
    var (whole, fraction) = (whole, fraction)
    while fraction.last == 0 { fraction.removeLast() }
    guard !fraction.isEmpty else { return Double(whole) }
    let isNegative = whole < 0
    if isNegative {
      // 0.75 after -2 is -1.25.
      whole = -(whole + 1)
      fraction = complement(fraction)
    }
    let decimals = String(decoding: fraction.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    return Double("\(isNegative ? "-" : "")\(whole).\(decimals)")
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: letter) else { return false }
      position += 1
      return true
    }

    mutating func digits() -> [UInt8] {
      let found = bytes[position...].prefix { $0 &- UInt8(ascii: "0") < 10 }
      position += found.count
      return found.map { $0 - UInt8(ascii: "0") }
    }

    mutating func twoDigits(below limit: Int64) -> Int64? {
      let found = digits()
      guard found.count == 2 else { return nil }
      let value = Int64(found[0]) * 10 + Int64(found[1])
      return value < limit ? value : nil
    }

    mutating func date() -> CivilDate? {
      let isNegative = skip("-")
      let isSigned = isNegative || skip("+")
      let yearDigits = digits()
      // Twelve digits cover every date that the encoder writes, and cannot overflow.
      guard isSigned ? (6...12).contains(yearDigits.count) : yearDigits.count == 4 else {
        return nil
      }
      let year = yearDigits.reduce(Int64(0)) { $0 * 10 + Int64($1) }
      guard year <= 150_000_000_000, skip("-"), let month = twoDigits(below: 13), skip("-"),
        let day = twoDigits(below: 32)
      else { return nil }
      let date = CivilDate(year: isNegative ? -year : year, month: month, day: day)
      return date.exists ? date : nil
    }

    mutating func timeOfDay() -> Int64? {
      guard let hour = twoDigits(below: 24), skip(":"), let minute = twoDigits(below: 60),
        skip(":"), let second = twoDigits(below: 60)
      else { return nil }
      return hour * 3600 + minute * 60 + second
    }

    mutating func fraction() -> [UInt8]? {
      guard skip(".") else { return [] }
      let found = digits()
      return found.isEmpty ? nil : found
    }

    /// Returns the time zone offset in seconds, positive to the east.
    mutating func offset() -> Int64? {
      if skip("Z") { return 0 }
      let isNegative = skip("-")
      guard isNegative || skip("+"), let hour = twoDigits(below: 24), skip(":"),
        let minute = twoDigits(below: 60)
      else { return nil }
      let offset = hour * 3600 + minute * 60
      return isNegative ? -offset : offset
    }
  }
}

/// A day of the Gregorian calendar, extended to all years; the year 0 is 1 BC.
///
/// See Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". Years begin in March, so the
/// leap day is the last day of a year. The calendar repeats every 400 years, or 146,097 days.
struct CivilDate: Equatable {
  let year: Int64
  let month: Int64
  let day: Int64
}

extension CivilDate {
  /// Creates the date that is a number of days after 1970-01-01.
  init(day days: Int64) {
    let shifted = days + 719_468
    let era = ISO8601.floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = ISO8601.floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  var exists: Bool {
    month >= 1 && month <= 12 && day >= 1 && CivilDate(day: daysSince1970) == self
  }
}
