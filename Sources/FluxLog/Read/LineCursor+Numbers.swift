extension LineCursor {
  /// Reads a whole number of at most sixteen digits, which is likely to be the expected one; then
  /// the next one is expected.
  @inline(__always)
  mutating func number(counting likely: inout LikelyDigits) -> UInt64? {
    guard position &+ 8 <= bytes.count else { return nil }
    let word = bytes.word(at: position)
    let number: UInt64
    if likely.stand(in: word) {
      number = likely.number
      position &+= likely.count
    } else {
      let start = position
      guard let read = digits() else { return nil }
      number = read
      likely.expect(read, readFrom: word, count: position &- start)
    }
    likely.countUp()
    return position <= end ? number : nil
  }

  /// Reads seconds with six decimals as microseconds; their whole part is likely to be the expected
  /// one.
  @inline(__always)
  mutating func seconds(expecting likely: inout LikelyDigits) -> UInt64? {
    guard position &+ 8 <= bytes.count else { return nil }
    let word = bytes.word(at: position)
    var whole = likely.number
    if likely.stand(in: word) {
      position &+= likely.count
    } else {
      let start = position
      guard let read = digits(), read < 1 << 40, position < end,
        bytes[position] == UInt8(ascii: ".")
      else { return nil }
      position &+= 1
      whole = read
      likely.expect(read, readFrom: word, count: position &- start)
    }
    return sixDigits().map { whole &* 1_000_000 &+ $0 }
  }

  /// Reads seconds with six decimals as microseconds, of one line alone.
  mutating func seconds() -> UInt64? {
    var nothing = LikelyDigits()
    return seconds(expecting: &nothing)
  }

  /// Reads a whole number of at most sixteen digits.
  @inline(never)
  mutating func digits() -> UInt64? {
    let start = position
    guard let first = eightDigits() else { return nil }
    var value = first
    if position - start == 8, position < end, Self.isDigit(bytes[position]) {
      let middle = position
      guard let more = eightDigits() else { return nil }
      value = value &* Self.powers[position - middle] &+ more
      if position < end, Self.isDigit(bytes[position]) { return nil }
    }
    return position <= end ? value : nil
  }

  /// Reads one to eight digits, eight bytes in a register at once.
  @inline(__always)
  private mutating func eightDigits() -> UInt64? {
    guard position + 8 <= bytes.count else { return nil }
    let word = bytes.word(at: position) ^ Self.ones &* 0x30
    let count = min(Self.notDigits(word).trailingZeroBitCount &>> 3, 8)
    guard count > 0 else { return nil }
    position += count
    // The digits move to the end; zeros come before them.
    return Self.value(word << UInt64(64 &- 8 &* count))
  }

  /// Reads exactly six digits.
  @inline(__always)
  private mutating func sixDigits() -> UInt64? {
    guard position &+ 8 <= bytes.count else { return nil }
    let word = bytes.word(at: position) ^ Self.ones &* 0x30
    guard Self.notDigits(word).trailingZeroBitCount &>> 3 == 6 else { return nil }
    position &+= 6
    return position <= end ? Self.value(word &<< 16) : nil
  }

  /// Marks the bytes that, with 0x30 flipped, are no digits.
  ///
  /// They have a bit of their upper half set, after six are added at the latest. Right for the
  /// lowest such byte, and those before it.
  @inline(__always)
  private static func notDigits(_ word: UInt64) -> UInt64 {
    (word | (word &+ ones &* 0x06)) & (ones &* 0xF0)
  }

  /// The number that eight digits are, each less 0x30, the first one lowest.
  ///
  /// Pairs, fours and eights are joined, each by one multiplication.
  @inline(__always)
  private static func value(_ digits: UInt64) -> UInt64 {
    let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours &>> 32) & 0xFFFF_FFFF
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static let powers: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]
}
