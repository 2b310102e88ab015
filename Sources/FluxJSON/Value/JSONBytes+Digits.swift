// Parses up to eight digits at a time in one 64-bit register.
extension JSONBytes {
  @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// Returns the number of digits at the start of the eight bytes at `place`.
  @inlinable @inline(__always)
  package func digitCount(at place: Int) -> Int {
    let word = word(at: place) ^ Self.ones &* 0x30
    // XOR with 0x30 turns a digit into 0...9. Any other byte has a bit set in its upper half,
    // either at once or after adding 6. Carries only change bytes above such a byte, so the lowest
    // one is exact.
    let others = (word | (word &+ Self.ones &* 0x06)) & (Self.ones &* 0xF0)
    return min(others.trailingZeroBitCount &>> 3, 8)
  }

  /// Parses `count` digits (1 to 16) at `place`, which the caller has checked.
  @inlinable @inline(__always)
  package func number(at place: Int, digits count: Int) -> UInt64 {
    guard count > 8 else { return Self.number(word(at: place), digits: count) }
    let high = Self.number(word(at: place), digits: count &- 8)
    return high &* 100_000_000 &+ Self.number(word(at: place &+ count &- 8), digits: 8)
  }

  /// Parses the lowest `count` bytes (1 to 8) of a word as digits.
  ///
  /// The shift moves the digits to the top and puts zeros before them. One multiplication each then
  /// joins them into pairs, groups of four and groups of eight.
  @inlinable @inline(__always)
  static func number(_ word: UInt64, digits count: Int) -> UInt64 {
    let digits =
      (word ^ ones &* 0x30) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours &>> 32) & 0xFFFF_FFFF
  }
}
