import CChecksum
import FluxJSON
import FluxSystem

/// The sum at the end of a line: the CRC-32C, as eight hex digits, of the bytes before the comma
/// that precedes the member `sum`.
///
/// See docs/log-format.md, "Checksums".
enum LineSum {
  /// The length of the sum as writers write it, including the comma before and the brace after it.
  static let tailCount = 18

  /// Appends the end of a line: the sum of the bytes so far, the brace and the newline.
  static func finish(_ line: inout ByteBuffer) {
    let sum = unsafe line.withBytes(0..<line.count) { unsafe CRC32C.checksum($0) }
    line.append(tailPrefix)
    line.append(hexDigits(sum))
    line.append("\"}\n")
  }

  /// `true` if a line, without its newline, ends as writers end it, `,"sum":"xxxxxxxx"}`, and the
  /// sum is correct.
  @inline(__always)
  static func isValid(_ line: UnsafeRawBufferPointer) -> Bool {
    let end = line.count - tailCount
    guard end > 0, let base = line.baseAddress else { return false }
    // All three reads are inside the line: `end + tailCount` is its length.
    let prefix = unsafe UInt64(
      littleEndian: base.loadUnaligned(fromByteOffset: end, as: UInt64.self))
    let digits = unsafe UInt64(
      littleEndian: base.loadUnaligned(fromByteOffset: end + 8, as: UInt64.self))
    let close = unsafe UInt16(
      littleEndian: base.loadUnaligned(fromByteOffset: end + 16, as: UInt16.self))
    guard prefix == tailPrefix, close == tailClose else { return false }
    return unsafe digits
      == hexDigits(CRC32C.checksum(UnsafeRawBufferPointer(start: base, count: end)))
  }

  /// `,"sum":"` with its first byte lowest.
  private static let tailPrefix: UInt64 = 0x223A_226D_7573_222C
  /// `"}` with its first byte lowest.
  private static let tailClose: UInt16 = 0x7D22

  /// Returns the eight hex digits of a number, the first digit in the lowest byte.
  ///
  /// Converts all digits at once, without branches: a branch on "digit or letter" is unpredictable.
  @inline(__always)
  private static func hexDigits(_ value: UInt32) -> UInt64 {
    var nibbles = UInt64(value.byteSwapped)
    nibbles = (nibbles | nibbles &<< 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles &<< 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles &>> 4 | nibbles &<< 8) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = ((nibbles &+ 0x0606_0606_0606_0606) &>> 4) & 0x0101_0101_0101_0101
    return nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 39
  }
}

extension LineSum {
  /// Checks the sum of a parsed line, wherever the member is; accepts a line without a sum.
  static func check(_ line: JSON) throws(LineFault) {
    guard let member = line["sum"] else { return }
    // `UInt32` accepts a sign. `Character.isHexDigit` for each digit took 6 % of `verify`.
    guard let text = member.string, text.utf8.count == 8, let first = text.utf8.first,
      first != UInt8(ascii: "+"), first != UInt8(ascii: "-"), let found = UInt32(text, radix: 16)
    else {
      throw LineFault(
        problem: .wrongType(member: "sum", expected: "a string of eight hex digits"),
        byte: member.byteOffset)
    }
    let expected = unsafe line.withBytes { bytes in
      let end = unsafe commaBefore(member.byteOffset - line.byteOffset, in: bytes)
      return unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    }
    guard found != expected else { return }
    throw LineFault(
      problem: .wrongSum(found: text, expected: expected.hexDigits), byte: member.byteOffset)
  }

  /// Returns the offset of the comma before the member whose value starts at `value`.
  ///
  /// Only a colon, the name and blanks are between the two, and the name contains no comma. If the
  /// member is the first one, there is no comma, and the checksum is that of no bytes.
  private static func commaBefore(_ value: Int, in line: UnsafeRawBufferPointer) -> Int {
    var offset = value
    while offset > 0 {
      offset -= 1
      if unsafe line[offset] == UInt8(ascii: ",") { return offset }
    }
    return 0
  }
}

/// The CRC-32C (Castagnoli) checksum of a sequence of bytes, as defined in RFC 3720, section 12.1.
///
/// Detects every error of up to 32 consecutive bits, so a changed byte never goes unnoticed.
enum CRC32C {
  /// Returns the checksum of bytes that follow others with the checksum `earlier`.
  @inline(__always)
  static func checksum(_ bytes: UnsafeRawBufferPointer, after earlier: UInt32 = 0) -> UInt32 {
    // The function reads `count` bytes from `baseAddress` and keeps no pointer.
    unsafe flux_crc32c(earlier, bytes.baseAddress, bytes.count)
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe checksum($0) }
  }
}
