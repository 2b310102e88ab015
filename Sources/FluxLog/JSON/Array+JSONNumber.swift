extension [UInt8] {
  /// Appends a number in decimal digits.
  ///
  /// They are made from the last to the first, on the stack, and appended at once: digit by digit,
  /// the three numbers of a step took 2000 instructions, of 7900 for the whole line.
  mutating func appendDecimal(_ magnitude: UInt64, isNegative: Bool = false) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.digitLimit) { digits in
      var place = Self.digitLimit
      var rest = magnitude
      repeat {
        place &-= 1
        // A number has at most as many digits as there is room for beside the sign, and each is
        // set before use.
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

  /// The digits of 2^64 - 1, and a sign.
  private static var digitLimit: Int { 21 }
}
