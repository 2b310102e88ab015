extension JSONParser {
  /// Reads a string from after its first quote to after its last; returns whether it has escapes.
  @inline(__always)
  mutating func readString() throws(JSONError) -> Bool {
    var escaped = false
    while true {
      skipPlain()
      let start = position
      let found = try next()
      switch found {
      case UInt8(ascii: "\""):
        return escaped
      case UInt8(ascii: "\\"):
        escaped = true
        try readEscape(from: start)
      case 0x80...:
        try readSequence(found, from: start)
      case ..<0x20:
        throw JSONError(byte: start, reason: .controlCharacter(found))
      default:
        continue
      }
    }
  }

  /// Skips bytes that are neither quote, backslash, control nor beyond ASCII, eight at a time.
  @inline(__always)
  private mutating func skipPlain() {
    while position &+ 8 <= bytes.count {
      let special = Self.specialBytes(bytes.word(at: position))
      guard special == 0 else {
        position &+= special.trailingZeroBitCount &>> 3
        return
      }
      position &+= 8
    }
  }

  /// Has the high bit of the first byte set that needs attention (and of no byte before it).
  ///
  /// Bytes in a register, as in "Hacker's Delight", 6-1. Flipping bit 1 puts the quote (0x22)
  /// at 0x20, so that one subtraction finds both it and the controls.
  @inline(__always)
  private static func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotesAndControls = ((word ^ ones &* 0x02) &- ones &* 0x21) & ~word
    let backslash = word ^ ones &* 0x5C
    return (quotesAndControls | (backslash &- ones) & ~backslash | word) & ones &* 0x80
  }

  private mutating func readEscape(from start: Int) throws(JSONError) {
    switch try next() {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    case UInt8(ascii: "u"):
      for _ in 0..<4 where JSONString.hexDigit(try next()) == nil {
        throw JSONError(byte: start, reason: .invalidEscape)
      }
    default:
      throw JSONError(byte: start, reason: .invalidEscape)
    }
  }

  /// Reads the rest of a character beyond ASCII (Unicode 16, table 3-7).
  private mutating func readSequence(_ lead: UInt8, from start: Int) throws(JSONError) {
    let second: ClosedRange<UInt8>
    let length: Int
    switch lead {
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xE1...0xEC, 0xEE...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: throw JSONError(byte: start, reason: .invalidUTF8)
    }
    guard second.contains(try next()) else { throw JSONError(byte: start, reason: .invalidUTF8) }
    for _ in 2..<length where try next() & 0xC0 != 0x80 {
      throw JSONError(byte: start, reason: .invalidUTF8)
    }
  }
}
