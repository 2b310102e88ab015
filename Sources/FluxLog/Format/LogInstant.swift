import FluxJSON

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
