import CTokens
import FluxJSON

/// The positions of brackets outside strings in 64 bytes of a text.
///
/// Kept from one value of a line to the next: most values of a line are in the same 64 bytes, and
/// finding the brackets takes more than a hundred instructions.
struct BracketWindow {
  /// The place of the first of the 64 bytes; at least 64 before any text if there are none.
  private(set) var start = Self.nowhere
  /// The brackets, one bit for each byte, the first byte lowest.
  private(set) var opening: UInt64 = 0
  private(set) var closing: UInt64 = 0
  /// All ones if the bytes end inside a string, otherwise zero.
  private(set) var isInString: UInt64 = 0

  private static let nowhere = -64

  /// Removes the bytes.
  @inline(__always)
  mutating func clear() { start = Self.nowhere }

  /// `true` if a place is among the 64 bytes.
  @inline(__always)
  func contains(_ place: Int) -> Bool { UInt(bitPattern: place &- start) < 64 }

  /// Finds the brackets in the 64 bytes at a place; `isInString` tells whether it is inside a
  /// string.
  ///
  /// Returns `false` if there are fewer than 64 bytes or if they contain backslashes. Then it is
  /// not known which quotes are escaped, and a slower method has to be used.
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

  /// Returns for each bit the parity of that bit and all lower ones: ones from the first quote of a
  /// string up to its last.
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
