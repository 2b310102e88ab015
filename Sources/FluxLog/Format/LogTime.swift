package import FluxJSON

/// A time in a recording, in microseconds since the header's `created`.
///
/// The file has seconds with six decimals; an integer keeps them exactly. See docs/log-format.md,
/// "Steps".
public struct LogTime: Sendable, Hashable, Comparable {
  /// Microseconds since the log was created.
  public var microseconds: UInt64

  /// Makes a time from microseconds since the log was created.
  public init(microseconds: UInt64) {
    self.microseconds = microseconds
  }

  /// Orders times.
  public static func < (left: LogTime, right: LogTime) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension LogTime: CustomStringConvertible {
  /// Seconds with six decimals, as in the file: `0.201331`.
  public var description: String {
    "\(microseconds / 1_000_000).\(String(1_000_000 + microseconds % 1_000_000).dropFirst())"
  }
}

extension LogTime {
  /// The seconds as a number with six decimals.
  package var json: JSON { JSON(writing: { $0.raw(description.utf8) }) }

  /// Parses seconds from the text of a JSON number.
  ///
  /// Accepts any notation (`3`, `0.5`, `1e-3`) and truncates to microseconds. Returns `nil` if the
  /// number is negative or does not fit.
  package init?(seconds text: String) {
    // Some encoders write a zero with its sign, and -0 equals 0.
    guard text.utf8.first != UInt8(ascii: "-") else {
      guard JSONNumber(text)?.int64 == 0 else { return nil }
      microseconds = 0
      return
    }
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    // The number of digits that the microseconds have.
    var wanted = mantissa.prefix { $0 != UInt8(ascii: ".") }.count + 6
    if mantissa.count < text.utf8.count {
      let power = text[mantissa.endIndex...].dropFirst()
      // Any time is far inside this limit, and sums with it cannot overflow.
      let largest = Int(clamping: Int64(1) << 40) / 4
      let limit = power.first == "-" ? -largest : largest
      wanted += Int(power).map { min(max($0, -largest), largest) } ?? limit
    }
    microseconds = 0
    var count = 0
    for byte in mantissa where byte != UInt8(ascii: ".") {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10, count >= wanted || append(digit) else { return nil }
      count += 1
    }
    guard count > 0 else { return nil }
    while count < wanted, microseconds > 0 {
      guard append(0) else { return nil }
      count += 1
    }
  }

  /// Appends a decimal digit; returns `false` if the number does not fit.
  private mutating func append(_ digit: UInt8) -> Bool {
    let (product, overflowed) = microseconds.multipliedReportingOverflow(by: 10)
    let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
    microseconds = sum
    return !overflowed && !carried
  }
}

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
  ///
  /// A year before 0 or after 9999 has a sign and at least six digits. No log can have it, and ``init(_:)`` does not read it.
  public var description: String {
    let seconds = ISO8601.floorDivide(microseconds, 1_000_000)
    // Near the ends of the range only the product overflows, not the difference.
    let fraction = microseconds &- seconds &* 1_000_000
    return ISO8601.text(seconds, String(1_000_000 + fraction).utf8.dropFirst().map { $0 - 0x30 })
  }
}

extension LogInstant {
  /// Parses an ISO 8601 date and time with a time zone: `2026-11-20T12:00:00Z`,
  /// `…12:00:00.5+02:00`.
  ///
  /// Truncates to microseconds. Returns `nil` if the text has a different form, or names a day or
  /// time that does not exist.
  public init?(_ text: String) {
    let text = text.replacing("t", with: "T").replacing("z", with: "Z")
    // A year has four digits and no sign.
    guard let first = text.utf8.first, 0x30...0x39 ~= first, let found = ISO8601.instant(text)
    else {
      return nil
    }
    let digits = (found.fraction + repeatElement(0, count: 6)).prefix(6)
    microseconds = found.seconds * 1_000_000 + digits.reduce(0) { $0 * 10 + Int64($1) }
  }
}
