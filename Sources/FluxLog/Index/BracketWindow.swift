import CTokens
import FluxJSON

/// The positions of brackets outside strings in 64 bytes of a text.
///
/// Kept from one value of a line to the next: most values of a line are in the same 64 bytes, and
/// finding the brackets takes more than a hundred instructions.
struct BracketWindow {
  /// The offset of the first of the 64 bytes; at least 64 before any text if there are none.
  private(set) var start = Self.nowhere
  /// The brackets, one bit for each byte, the first byte lowest.
  private(set) var opening: UInt64 = 0
  private(set) var closing: UInt64 = 0
  /// All ones if the bytes end inside a string, otherwise zero.
  private(set) var isInString: UInt64 = 0

  private static let nowhere = -64

  @inline(__always)
  mutating func clear() { start = Self.nowhere }

  @inline(__always)
  func contains(_ offset: Int) -> Bool { UInt(bitPattern: offset &- start) < 64 }

  /// Finds the brackets in the 64 bytes at a offset.
  ///
  /// Returns `false` if there are fewer bytes, or backslashes, which may escape quotes.
  @inline(__always)
  mutating func look(_ bytes: JSONBytes, at offset: Int, isInString inside: UInt64) -> Bool {
    guard offset &+ 64 <= bytes.count else { return false }
    // The slice is bounds-checked and has the 64 bytes that are read.
    let structure = unsafe flux_structure_of(bytes.slice(offset, offset &+ 64).baseAddress)
    guard structure.backslashes == 0 else { return false }
    let strings = Self.prefixParity(structure.quotes) ^ inside
    start = offset
    opening = structure.opening & ~strings
    closing = structure.closing & ~strings
    isInString = UInt64(bitPattern: Int64(bitPattern: strings) &>> 63)
    return true
  }

  /// Returns for each bit the parity of that bit and all lower ones: ones inside strings.
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
