extension JSONFault {
  /// Skips the rest of a string after its opening quote, and returns the offset after it.
  static func skipString(_ bytes: JSONBytes, _ start: Int) throws(JSONError) -> Int {
    var position = start
    while true {
      let found = try peek(bytes, position)
      switch found {
      case UInt8(ascii: "\""): return position + 1
      case UInt8(ascii: "\\"): position = try afterEscape(bytes, position)
      case 0x80...: position = try afterSequence(bytes, position)
      case ..<0x20: throw JSONError(byte: position, reason: .controlCharacter(found))
      default: position += 1
      }
    }
  }

  private static func afterEscape(_ bytes: JSONBytes, _ start: Int) throws(JSONError) -> Int {
    switch try peek(bytes, start + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"):
      for offset in 2..<6 where JSONString.hexDigit(try peek(bytes, start + offset)) == nil {
        throw JSONError(byte: start, reason: .invalidEscape)
      }
      return start + 6
    default:
      throw JSONError(byte: start, reason: .invalidEscape)
    }
  }

  /// Skips a non-ASCII character (The Unicode Standard, table 3-7).
  private static func afterSequence(_ bytes: JSONBytes, _ start: Int) throws(JSONError) -> Int {
    let second: ClosedRange<UInt8>
    let length: Int
    switch bytes[start] {
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xE1...0xEC, 0xEE...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: throw JSONError(byte: start, reason: .invalidUTF8)
    }
    guard second.contains(try peek(bytes, start + 1)) else {
      throw JSONError(byte: start, reason: .invalidUTF8)
    }
    for offset in 2..<length where try peek(bytes, start + offset) & 0xC0 != 0x80 {
      throw JSONError(byte: start, reason: .invalidUTF8)
    }
    return start + length
  }
}
