extension [UInt8] {
  /// Appends a string in quotes, with escapes for what cannot stand in one: the quote, the
  /// backslash and the control characters.
  mutating func appendJSONString(_ content: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var plain = 0
    for place in content.indices {
      let byte = unsafe content[place]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      unsafe append(contentsOf: content[plain..<place])
      appendJSONEscape(byte)
      plain = place + 1
    }
    unsafe append(contentsOf: content[plain...])
    append(UInt8(ascii: "\""))
  }

  private mutating func appendJSONEscape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 15] {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
