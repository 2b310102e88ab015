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
    let fraction = String(microseconds % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.utf8.count)
    return "\(microseconds / 1_000_000).\(zeros)\(fraction)"
  }
}

extension LogTime {
  /// Parses seconds from the text of a JSON number.
  ///
  /// Accepts any notation (`3`, `0.5`, `1e-3`) and truncates to microseconds. Returns `nil` if the
  /// number is negative or does not fit.
  package init?(seconds text: String) {
    guard let microseconds = Self.microseconds(inSeconds: text) else { return nil }
    self.microseconds = microseconds
  }

  private static func microseconds(inSeconds text: String) -> UInt64? {
    plainMicroseconds(inSeconds: text) ?? anyMicroseconds(inSeconds: text)
  }

  /// Parses the notation of writers, digits, a point and six decimals; returns `nil` for any other.
  private static func plainMicroseconds(inSeconds text: String) -> UInt64? {
    // Nineteen characters cannot overflow the result.
    let point = text.utf8.count - 7
    guard point > 0, point <= 12 else { return nil }
    var result: UInt64 = 0
    for (place, byte) in text.utf8.enumerated() {
      let digit = byte &- UInt8(ascii: "0")
      if place == point {
        guard byte == UInt8(ascii: ".") else { return nil }
      } else {
        guard digit < 10 else { return nil }
        result = result * 10 + UInt64(digit)
      }
    }
    return result
  }

  private static func anyMicroseconds(inSeconds text: String) -> UInt64? {
    var digits: [UInt8] = []
    var decimals = 0
    var exponent = 0
    var isFraction = false
    var rest = text.utf8[...]
    while let character = rest.popFirst() {
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(character - UInt8(ascii: "0"))
        decimals += isFraction ? 1 : 0
      case UInt8(ascii: "."):
        isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let isPositive = rest.first != UInt8(ascii: "-")
        if rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        // An exponent that does not fit an Int means "far too large" or "almost zero".
        exponent = Int(String(rest) ?? "") ?? (isPositive ? 1_000_000 : -1_000_000)
        rest = rest[rest.endIndex...]
      default:
        return nil
      }
    }
    guard digits.contains(where: { $0 != 0 }) else { return digits.isEmpty ? nil : 0 }
    return whole(digits, timesTenTo: exponent.clamped + 6 - decimals)
  }

  /// Returns the digits as an integer times a power of ten, truncated.
  private static func whole(_ digits: [UInt8], timesTenTo power: Int) -> UInt64? {
    let kept = power < 0 ? digits.dropLast(min(-power, digits.count)) : digits[...]
    var result: UInt64 = 0
    for digit in kept {
      guard let next = result.timesTen(plus: digit) else { return nil }
      result = next
    }
    guard power > 0, result > 0 else { return result }
    for _ in 0..<power {
      guard let next = result.timesTen(plus: 0) else { return nil }
      result = next
    }
    return result
  }
}

extension Int {
  /// The exponent, limited to a range that is outside any time and cannot overflow in sums.
  fileprivate var clamped: Int { Swift.min(Swift.max(self, -1_000_000), 1_000_000) }
}

extension UInt64 {
  fileprivate func timesTen(plus digit: UInt8) -> UInt64? {
    let (product, overflowed) = multipliedReportingOverflow(by: 10)
    guard !overflowed else { return nil }
    let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
    return carried ? nil : sum
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
