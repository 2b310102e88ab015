extension [UInt8] {
  /// Appends a number in decimal digits.
  ///
  /// The digits are computed on the stack, from last to first, and appended in one call. Appending
  /// them one by one took 2000 of the 7900 instructions per log line, for the three numbers of a
  /// step.
  package mutating func appendDecimal(_ magnitude: UInt64, isNegative: Bool = false) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.digitLimit) { digits in
      var place = Self.digitLimit
      var rest = magnitude
      repeat {
        place &-= 1
        // There is room for every digit and the sign, and each digit is written before it is read.
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        unsafe digits[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
        rest = quotient
      } while rest > 0
      if isNegative {
        place &-= 1
        unsafe digits[place] = UInt8(ascii: "-")
      }
      unsafe append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
    }
  }

  /// The number of digits of 2^64 - 1, plus one for the sign.
  private static var digitLimit: Int { 21 }
}
