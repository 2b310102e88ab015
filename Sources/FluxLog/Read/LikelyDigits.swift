/// Digits that are likely to come next in a text, and the number that they are.
///
/// The numbers of steps count up, and the seconds of most are those of the step before: to
/// compare eight bytes takes fewer instructions than to read a number.
struct LikelyDigits {
  /// The digits and what follows them, the first one lowest; the rest is zero.
  private var text: UInt64 = 0
  /// Ones where `text` has something to say.
  private var mask: UInt64 = 0
  /// How many bytes that is; 0 where nothing is likely.
  private(set) var count = 0
  private(set) var number: UInt64 = 0

  /// Whether those digits stand in eight bytes of the text.
  @inline(__always)
  func stand(in word: UInt64) -> Bool { count > 0 && (word ^ text) & mask == 0 }

  /// Expects what was read from eight bytes of the text; nothing where that is not all of it.
  @inline(__always)
  mutating func expect(_ number: UInt64, readFrom word: UInt64, count: Int) {
    self.number = number
    self.count = count > 8 ? 0 : count
    mask = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* max(1, min(count, 8)))
    text = word & mask
  }

  /// Expects the number after this one, where it differs in the last digit only.
  @inline(__always)
  mutating func countUp() {
    guard count > 0 else { return }
    let last = UInt64(truncatingIfNeeded: 8 &* (count &- 1))
    guard text &>> last < UInt64(UInt8(ascii: "9")) else {
      count = 0
      return
    }
    text &+= 1 &<< last
    number &+= 1
  }
}
