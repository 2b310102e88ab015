/// A calendar time in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The type of `created`; see docs/log-format.md, "Header".
public struct LogInstant: Sendable, Hashable, Comparable {
  /// Microseconds since 1970; negative for earlier times.
  public var microseconds: Int64

  /// Makes an instant from microseconds since 1970.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Orders instants by time.
  public static func < (left: LogInstant, right: LogInstant) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension LogInstant: CustomStringConvertible {
  /// ISO 8601 in UTC with six decimals, as in the file: `2026-11-20T12:00:00.000000Z`.
  public var description: String {
    let (second, micro) = microseconds.flooredQuotientAndRemainder(by: 1_000_000)
    let (day, secondOfDay) = second.flooredQuotientAndRemainder(by: 86_400)
    let date = CalendarDate(daysSince1970: day)
    let clock = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
      .map { $0.padded(to: 2) }.joined(separator: ":")
    return "\(date)T\(clock).\(micro.padded(to: 6))Z"
  }
}

extension LogInstant {
  /// Parses an ISO 8601 date and time with a time zone: `2026-11-20T12:00:00Z`,
  /// `…12:00:00.5+02:00`.
  ///
  /// Truncates to microseconds. Returns `nil` if the text has a different form, or names a day or
  /// time that does not exist.
  public init?(_ text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2),
      scanner.take("-"), let day = scanner.number(2), scanner.take("T") || scanner.take("t"),
      let hour = scanner.number(2), scanner.take(":"), let minute = scanner.number(2),
      scanner.take(":"), let second = scanner.number(2),
      let micro = scanner.fraction(decimals: 6), let zone = scanner.zone(), scanner.isAtEnd,
      let date = CalendarDate(year: year, month: month, day: day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - zone
    microseconds = seconds * 1_000_000 + micro
  }
}

/// A day of the proleptic Gregorian calendar.
private struct CalendarDate: CustomStringConvertible {
  let year: Int64
  let month: Int64
  let day: Int64

  init?(year: Int64, month: Int64, day: Int64) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[Int(month) - 1]).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Counts in eras of 400 years that start on March 1, so the leap day is the last day of its
  /// year.
  init(daysSince1970: Int64) {
    let (era, dayOfEra) = (daysSince1970 + 719_468).flooredQuotientAndRemainder(by: 146_097)
    let leaps = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leaps) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = marchYear.flooredQuotientAndRemainder(by: 400)
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  var description: String {
    "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }
}

/// Scans the parts of a date from left to right.
private struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digit() -> Int64? {
    guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
    rest.removeFirst()
    return Int64(first - 0x30)
  }

  mutating func number(_ count: Int) -> Int64? {
    var result: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      result = result * 10 + digit
    }
    return result
  }

  /// Reads an optional fraction as an integer with that many decimals.
  mutating func fraction(decimals: Int) -> Int64? {
    guard take(".") else { return 0 }
    var result: Int64 = 0
    var found = 0
    while let digit = digit() {
      if found < decimals { result = result * 10 + digit }
      found += 1
    }
    guard found > 0 else { return nil }
    for _ in min(found, decimals)..<decimals { result *= 10 }
    return result
  }

  /// Reads `Z` or an offset from UTC in hours and minutes; returns seconds.
  mutating func zone() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let isBehind = take("-")
    guard isBehind || take("+"), let hours = number(2), take(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    return (isBehind ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}

extension Int64 {
  fileprivate func flooredQuotientAndRemainder(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// The digits, padded with zeros; negative numbers start with a sign.
  fileprivate func padded(to width: Int) -> String {
    let digits = String(magnitude)
    let zeros = String(repeating: "0", count: Swift.max(0, width - digits.utf8.count))
    return (self < 0 ? "-" : "") + zeros + digits
  }
}
