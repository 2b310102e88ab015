import FluxJSON

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
  /// Parses seconds from the text of a JSON number.
  ///
  /// Accepts any notation (`3`, `0.5`, `1e-3`) and truncates to microseconds. Returns `nil` if the
  /// number is negative or does not fit.
  package init?(seconds text: String) {
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
    let digits = Array(whole) + mantissa.dropFirst(whole.count + 1)
    guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    // Any time is far inside this limit, and sums with it cannot overflow.
    let limit = 1 << 40
    var exponent = 0
    if mantissa.count < text.utf8.count {
      let power = text[mantissa.endIndex...].dropFirst()
      exponent =
        Int(power).map { min(max($0, -limit), limit) } ?? (power.first == "-" ? -limit : limit)
    }
    // This many digits make the number of microseconds. Twenty more than there are overflow.
    microseconds = 0
    for place in 0..<max(0, min(whole.count + 6 + exponent, digits.count + 20)) {
      let (product, overflowed) = microseconds.multipliedReportingOverflow(by: 10)
      let digit = place < digits.count ? digits[place] - 0x30 : 0
      let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
      guard !overflowed, !carried else { return nil }
      microseconds = sum
    }
  }
}

extension JSONWriter {
  /// Writes a time member, unless it is `nil`.
  package mutating func member(_ name: String, _ time: LogTime?) {
    guard let time else { return }
    self.name(name)
    raw(time.description.utf8)
  }
}
