// Eight digits in a register at once.
extension JSONBytes {
  private static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// How many of the eight bytes at a place are digits, before the first that is none.
  @inline(__always)
  func digitCount(at place: Int) -> Int {
    let word = word(at: place) ^ Self.ones &* 0x30
    // The bytes that, with 0x30 flipped, are no digits have a bit of their upper half set, after
    // six are added at the latest. Right for the lowest such byte, and those before it.
    let others = (word | (word &+ Self.ones &* 0x06)) & (Self.ones &* 0xF0)
    return min(others.trailingZeroBitCount &>> 3, 8)
  }

  /// The number that one to sixteen digits at a place are; what stands there is known to be digits.
  @inline(__always)
  func number(at place: Int, digits count: Int) -> UInt64 {
    guard count > 8 else { return Self.number(word(at: place), digits: count) }
    let high = Self.number(word(at: place), digits: count &- 8)
    return high &* 100_000_000 &+ Self.number(word(at: place &+ count &- 8), digits: 8)
  }

  /// The number that the lowest one to eight bytes of a word are as digits.
  ///
  /// They move to the end; zeros come before them. Pairs, fours and eights are joined, each by one
  /// multiplication.
  @inline(__always)
  private static func number(_ word: UInt64, digits count: Int) -> UInt64 {
    let digits =
      (word ^ ones &* 0x30) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours &>> 32) & 0xFFFF_FFFF
  }
}
