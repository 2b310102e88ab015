extension JSONParser {
  /// Skips a string from after its first quote to after its last; returns whether it has escapes.
  @inline(__always)
  static func skipString(_ bytes: JSONBytes, _ position: inout Int) throws(JSONError) -> Bool {
    skipPlain(bytes, &position)
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      position &+= 1
      return false
    }
    let rest = try skipDifficult(bytes, position)
    position = rest.end
    return rest.escaped
  }

  /// Skips the rest of a string that is not plain ASCII.
  @inline(never)
  private static func skipDifficult(
    _ bytes: JSONBytes, _ start: Int
  ) throws(JSONError) -> (end: Int, escaped: Bool) {
    var position = start
    var escaped = false
    while true {
      let found = try peek(bytes, position)
      switch found {
      case UInt8(ascii: "\""):
        return (position &+ 1, escaped)
      case UInt8(ascii: "\\"):
        escaped = true
        position = try afterEscape(bytes, position)
      case 0x80...:
        position = try afterSequence(bytes, position)
      case ..<0x20:
        throw JSONError(byte: position, reason: .controlCharacter(found))
      default:
        position &+= 1
        skipPlain(bytes, &position)
      }
    }
  }

  /// Skips bytes that are neither quote, backslash, control nor beyond ASCII.
  ///
  /// Stops before the end of the text where fewer than sixteen bytes are left.
  @inline(__always)
  private static func skipPlain(_ bytes: JSONBytes, _ position: inout Int) {
    while position &+ 16 <= bytes.count {
      let special = specialBytes(bytes.block(at: position))
      if special.low != 0 {
        position &+= special.low.trailingZeroBitCount &>> 3
        return
      }
      position &+= 8 &+ special.high.trailingZeroBitCount &>> 3
      guard special.high == 0 else { return }
    }
  }

  /// Has the high bit of each byte set that is a quote, a backslash, a control or beyond ASCII.
  ///
  /// Made of subtractions, as the compiler turns comparisons of vectors into loops over their
  /// bytes. Flipping bit 1 puts the quote (0x22) at 0x20, so that one subtraction finds it and
  /// the controls; flipping 0x5C puts the backslash at 0.
  @inline(__always)
  private static func specialBytes(_ block: SIMD16<UInt8>) -> (low: UInt64, high: UInt64) {
    let quotesAndControls = (block ^ SIMD16(repeating: 0x02)) &- SIMD16(repeating: 0x21)
    let backslashes = (block ^ SIMD16(repeating: 0x5C)) &- SIMD16(repeating: 0x01)
    let special = quotesAndControls | backslashes | block
    // Both are sixteen bytes without padding.
    let halves = unsafe unsafeBitCast(special, to: SIMD2<UInt64>.self)
    let highBits: UInt64 = 0x8080_8080_8080_8080
    return (UInt64(littleEndian: halves.x) & highBits, UInt64(littleEndian: halves.y) & highBits)
  }

  private static func afterEscape(_ bytes: JSONBytes, _ start: Int) throws(JSONError) -> Int {
    switch try peek(bytes, start &+ 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start &+ 2
    case UInt8(ascii: "u"):
      for offset in 2..<6 where JSONString.hexDigit(try peek(bytes, start &+ offset)) == nil {
        throw JSONError(byte: start, reason: .invalidEscape)
      }
      return start &+ 6
    default:
      throw JSONError(byte: start, reason: .invalidEscape)
    }
  }

  /// Skips a character beyond ASCII (The Unicode Standard, table 3-7).
  @inline(__always)
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
    guard second.contains(try peek(bytes, start &+ 1)) else {
      throw JSONError(byte: start, reason: .invalidUTF8)
    }
    for offset in 2..<length where try peek(bytes, start &+ offset) & 0xC0 != 0x80 {
      throw JSONError(byte: start, reason: .invalidUTF8)
    }
    return start &+ length
  }
}
