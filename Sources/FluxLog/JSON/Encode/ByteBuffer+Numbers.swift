extension ByteBuffer {
  @inline(__always)
  mutating func appendNumber(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    appendNumber(value.magnitude)
  }

  mutating func appendNumber(_ value: UInt64) {
    guard value >= 10 else { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)) }
    // Eight digits at a time, put together in a register, the first one lowest.
    guard value < 100_000_000 else {
      appendNumber(value / 100_000_000)
      return append(Self.eightDigits(value % 100_000_000) | Self.zeros)
    }
    let digits = Self.eightDigits(value)
    let leadingZeros = digits.trailingZeroBitCount / 8
    append((digits | Self.zeros) &>> UInt64(leadingZeros * 8))
    truncate(to: count - leadingZeros)
  }

  /// Appends a point and six decimals, of a number of millionths below a million.
  mutating func appendDecimals(_ millionths: UInt64) {
    // The upper two of eight digits are zeros; the point stands where the second one would.
    let digits = Self.eightDigits(millionths) | Self.zeros
    append(digits &>> 8 & ~0xFF | UInt64(UInt8(ascii: ".")))
    truncate(to: count - 1)
  }

  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// The digits of a number below 10^8 as bytes, the first one lowest.
  @inline(__always)
  private static func eightDigits(_ value: UInt64) -> UInt64 {
    // In halves of four digits, then of two, then of one: the quotients by 100 and by 10 of all
    // halves at once, as multiplications that do not reach into the neighbouring half.
    let fours = value / 10_000 | (value % 10_000) &<< 32
    let hundreds = ((fours &* 10_486) &>> 20) & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = ((twos &* 103) &>> 10) & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) &<< 8
  }

  /// Appends the shortest text that reads back as the same number.
  ///
  /// Most have a few decimals, like amounts and times in milliseconds: of numbers with at most
  /// fifteen digits no two are the same `Double`, so that the one that gives it back is the
  /// shortest. That is four times faster than the general way.
  mutating func appendNumber(_ value: Double) {
    let thousands = value * 1000
    guard thousands.magnitude < 1e15 else { return appendShortest(value) }
    let whole = Int64(thousands)
    guard Double(whole) / 1000 == value, whole != 0 || value.sign == .plus else {
      return appendShortest(value)
    }
    if whole < 0 { append(UInt8(ascii: "-")) }
    let (units, decimals) = whole.magnitude.quotientAndRemainder(dividingBy: 1000)
    appendNumber(units)
    guard decimals > 0 else { return }
    append(UInt8(ascii: "."))
    append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: decimals / 100))
    guard decimals % 100 > 0 else { return }
    append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: decimals / 10 % 10))
    guard decimals % 10 > 0 else { return }
    append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: decimals % 10))
  }

  mutating func appendNumber(_ value: Float) { appendShortest(value) }

  @inline(never)
  private mutating func appendShortest<F: BinaryFloatingPoint & LosslessStringConvertible>(
    _ value: F
  ) {
    guard value.isFinite else {
      return append(value.isNaN ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }
    var text = value.description
    text.withUTF8 { digits in
      let end = digits.count
      // Swift marks a floating-point number by its fraction: 1.0 is written as 1.
      let isWhole = unsafe end > 2 && digits[end - 1] == 0x30 && digits[end - 2] == 0x2E
      let kept = unsafe UnsafeRawBufferPointer(digits).prefix(isWhole ? end - 2 : end)
      unsafe append(UnsafeRawBufferPointer(rebasing: kept))
    }
  }

  /// Appends an integer of any width.
  mutating func appendNumber<I: FixedWidthInteger>(_ value: I) {
    var text = value.description
    text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
  }
}
