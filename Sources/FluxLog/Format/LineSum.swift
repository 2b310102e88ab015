/// The sum at the end of a line.
///
/// LOG-FORMAT, "Sums".
///
/// The CRC-32C, as eight hex digits, of the line's bytes before the comma that precedes the
/// member `sum`.
enum LineSum {
  /// How many bytes a writer's sum takes, with the comma before and the brace after it.
  static let tailCount = 18

  /// The sum of a line whose bytes before the comma are given, as it is written.
  static func text(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  /// Appends what ends a line: the sum of its bytes so far, the brace, the newline.
  static func finish(_ line: inout ByteBuffer) {
    let sum = unsafe line.withBytes(0..<line.count) { unsafe CRC32C.checksum($0) }
    line.append(tailPrefix)
    line.append(hexDigits(sum))
    line.append("\"}\n")
  }

  /// Whether a line (without its newline) ends as writers end it, `,"sum":"xxxxxxxx"}`, and its
  /// sum is right.
  @inline(__always)
  static func isSound(_ line: UnsafeRawBufferPointer) -> Bool {
    let end = line.count - tailCount
    guard end > 0, let base = line.baseAddress else { return false }
    // Within the line: `end + tailCount` is its count.
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

  /// The eight hex digits of a number, the first of them in the lowest byte.
  ///
  /// All at once and without a branch: which digits are letters nobody can predict.
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
  /// Checks the sum of a parsed line, wherever its members stand; a line without one is accepted.
  static func check(_ line: JSON) throws(LineFault) {
    guard let member = line["sum"] else { return }
    guard let text = member.string, text.utf8.count == 8, text.allSatisfy(\.isHexDigit),
      let found = UInt32(text, radix: 16)
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
      problem: .wrongSum(found: text, expected: self.text(expected)), byte: member.byteOffset)
  }

  /// The place of the comma before the member whose value begins at `value`.
  ///
  /// Before the value stand only a colon, the name, which has no comma in it, and blanks. Where
  /// the member is the first one, there is no comma, and nothing is summed.
  private static func commaBefore(_ value: Int, in line: UnsafeRawBufferPointer) -> Int {
    var place = value
    while place > 0 {
      place -= 1
      if unsafe line[place] == UInt8(ascii: ",") { return place }
    }
    return 0
  }
}
