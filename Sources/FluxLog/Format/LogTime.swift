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
    if let written = Self.written(text) {
      microseconds = written
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

  /// The microseconds of a time as writers write it: seconds, a point and six digits.
  ///
  /// Reading any notation takes eight times as long.
  private static func written(_ text: String) -> UInt64? {
    let count = text.utf8.count
    // So few digits cannot overflow.
    guard count > 7, count < 18 else { return nil }
    var microseconds: UInt64 = 0
    var place = 0
    for byte in text.utf8 {
      place &+= 1
      if place == count &- 6 {
        guard byte == UInt8(ascii: ".") else { return nil }
      } else {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        microseconds = microseconds &* 10 &+ UInt64(digit)
      }
    }
    return microseconds
  }

  /// Appends a decimal digit; returns `false` if the number does not fit.
  private mutating func append(_ digit: UInt8) -> Bool {
    let (product, overflowed) = microseconds.multipliedReportingOverflow(by: 10)
    let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
    microseconds = sum
    return !overflowed && !carried
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
