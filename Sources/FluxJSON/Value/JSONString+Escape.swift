extension JSONString {
  /// Returns `true` if a string must escape a byte: a quote, a backslash or a control character.
  @inline(__always)
  static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Returns the shortest escape for a byte that needs one (RFC 8259, section 7).
  static func escape(_ byte: UInt8) -> [UInt8] {
    let letter: UInt8
    switch byte {
    case 0x08: letter = UInt8(ascii: "b")
    case 0x09: letter = UInt8(ascii: "t")
    case 0x0A: letter = UInt8(ascii: "n")
    case 0x0C: letter = UInt8(ascii: "f")
    case 0x0D: letter = UInt8(ascii: "r")
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
    default: return Array("\\u00".utf8) + [hexLetter(byte >> 4), hexLetter(byte & 15)]
    }
    return [UInt8(ascii: "\\"), letter]
  }

  private static func hexLetter(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}
