import CTokens
import FluxJSON

// Word-wise searches as in "Hacker's Delight", 6-1: the lowest matching byte sets its high bit, and
// no byte before it does.
extension JSONBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Returns the distance to the next quote or backslash, or to the limit.
  @inline(__always)
  func distanceToQuoteOrBackslash(from start: Int, limit: Int) -> Int {
    var place = start
    while place &+ 8 <= count, place < limit {
      let word = word(at: place)
      let found =
        Self.zeros(word ^ Self.ones &* 0x22) | Self.zeros(word ^ Self.ones &* 0x5C)
      if found != 0 { return place &- start &+ found.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < min(limit, count), self[place] != 0x22, self[place] != 0x5C { place &+= 1 }
    return place &- start
  }

  /// Returns the distance to the next quote or bracket, or to the limit.
  @inline(__always)
  func distanceToQuoteOrBracket(from start: Int, limit: Int) -> Int {
    var place = start
    while place &+ 8 <= count, place < limit {
      let word = word(at: place)
      let folded = word | Self.ones &* 0x20
      let found =
        Self.zeros(word ^ Self.ones &* 0x22) | Self.zeros(folded ^ Self.ones &* 0x7B)
        | Self.zeros(folded ^ Self.ones &* 0x7D)
      if found != 0 { return place &- start &+ found.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < min(limit, count), !Self.isQuoteOrBracket(self[place]) { place &+= 1 }
    return place &- start
  }

  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- ones) & ~word & (ones &* 0x80)
  }

  private static func isQuoteOrBracket(_ byte: UInt8) -> Bool {
    byte == 0x22 || byte | 0x20 == 0x7B || byte | 0x20 == 0x7D
  }

  /// Returns the positions of quotes, backslashes and brackets in 64 bytes.
  @inline(__always)
  func structure(at offset: Int) -> flux_structure {
    // The slice is bounds-checked and has the 64 bytes that are read.
    unsafe flux_structure_of(slice(offset, offset &+ 64).baseAddress)
  }
}
