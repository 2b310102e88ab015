import CTokens

/// Where brackets stand in 64 bytes of a text, those in strings left out.
///
/// Kept from one value of a line to the next: most values of a line are in the same 64 bytes,
/// and to look at them takes more than a hundred instructions.
struct BracketWindow {
  /// Where the 64 bytes begin; 64 or more before every text while there are none.
  private(set) var start = Self.nowhere
  /// The brackets, a bit for each byte, the first byte lowest.
  private(set) var opening: UInt64 = 0
  private(set) var closing: UInt64 = 0
  /// All ones where the bytes end within a string, or zero.
  private(set) var isInString: UInt64 = 0

  private static let nowhere = -64

  /// Forgets the bytes.
  @inline(__always)
  mutating func clear() { start = Self.nowhere }

  /// Whether a place is among the bytes.
  @inline(__always)
  func contains(_ place: Int) -> Bool { UInt(bitPattern: place &- start) < 64 }

  /// Looks at the 64 bytes at a place, which is in a string or not, as is said.
  ///
  /// False, and nothing is known, where there are fewer, or backslashes among them: which quotes
  /// count is then for a slower way to find out.
  @inline(__always)
  mutating func look(_ bytes: JSONBytes, at place: Int, isInString inside: UInt64) -> Bool {
    guard place &+ 64 <= bytes.count else { return false }
    let structure = bytes.structure(at: place)
    guard structure.backslashes == 0 else { return false }
    let strings = Self.prefixParity(structure.quotes) ^ inside
    start = place
    opening = structure.opening & ~strings
    closing = structure.closing & ~strings
    isInString = UInt64(bitPattern: Int64(bitPattern: strings) &>> 63)
    return true
  }

  /// For each bit, whether it and those before it are odd in number: from a string's first quote
  /// to before its last.
  @inline(__always)
  private static func prefixParity(_ bits: UInt64) -> UInt64 {
    var parity = bits
    parity ^= parity &<< 1
    parity ^= parity &<< 2
    parity ^= parity &<< 4
    parity ^= parity &<< 8
    parity ^= parity &<< 16
    parity ^= parity &<< 32
    return parity
  }
}
