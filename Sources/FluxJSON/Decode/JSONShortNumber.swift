/// A number with few enough digits for direct arithmetic, as nearly all numbers have.
struct JSONShortNumber {
  private let isNegative: Bool
  /// The digits without the decimal point, and the number of digits after it.
  private let digits: UInt64
  private let decimals: Int

  /// Parses a number; returns `nil` if it has an exponent or more than eighteen digits.
  init?(_ number: UnsafeRawBufferPointer) {
    let text = unsafe JSONBytes(number)
    guard text.count <= 19 else { return nil }
    isNegative = text[0] == UInt8(ascii: "-")
    var value: UInt64 = 0
    var count = 0
    var point: Int?
    for offset in (isNegative ? 1 : 0)..<text.count {
      let digit = text[offset] &- UInt8(ascii: "0")
      if digit < 10 {
        value = value &* 10 &+ UInt64(digit)
        count &+= 1
      } else if text[offset] == UInt8(ascii: ".") {
        point = count
      } else {
        return nil
      }
    }
    guard count <= 18 else { return nil }
    digits = value
    decimals = point.map { count &- $0 } ?? 0
  }

  /// The integer, or `nil` if the number has a decimal point.
  var integer: Int64? {
    guard decimals == 0 else { return nil }
    // The digits are below 10^18.
    let value = Int64(bitPattern: digits)
    return isNegative ? -value : value
  }

  /// The nearest `Double`, or `nil` if one division does not find it.
  ///
  /// Both operands are exact, so the division rounds once. See William D. Clinger, "How to Read
  /// Floating Point Numbers Accurately", 1990.
  var double: Double? {
    guard digits <= 1 << 53 else { return nil }
    let magnitude = Double(digits) / Self.powers[decimals]
    return isNegative ? -magnitude : magnitude
  }

  /// The powers of ten up to 10^18; powers up to 10^22 are exact.
  private static let powers: [Double] = (0...18).map { power in
    (0..<power).reduce(1) { product, _ in product * 10 }
  }
}
