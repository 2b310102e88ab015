extension JSONParser {
  /// Skips what follows the first byte of a number (RFC 8259, section 6).
  @inline(__always)
  static func skipNumber(
    _ bytes: JSONBytes, _ position: inout Int, _ first: UInt8
  ) throws(JSONError) {
    let start = position &- 1
    var digit = first
    if first == UInt8(ascii: "-") {
      digit = try peek(bytes, position)
      guard isDigit(digit) else { throw JSONError(byte: start, reason: .invalidNumber) }
      position &+= 1
    }
    let afterFirst = position
    skipDigits(bytes, &position)
    if digit == UInt8(ascii: "0"), position != afterFirst {
      throw JSONError(byte: start, reason: .invalidNumber)
    }
    guard position < bytes.count else { return }
    if bytes[position] == UInt8(ascii: ".") {
      position &+= 1
      try skipSomeDigits(bytes, &position, from: start)
    }
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return }
    position &+= 1
    let sign = try peek(bytes, position)
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position &+= 1 }
    try skipSomeDigits(bytes, &position, from: start)
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Skips digits, eight at a time where there are eight bytes.
  @inline(__always)
  private static func skipDigits(_ bytes: JSONBytes, _ position: inout Int) {
    while position &+ 8 <= bytes.count {
      // A digit is 0x30...0x39: with 0x30 flipped it is below 10, so that adding 0x76 does not
      // reach the high bit.
      let flipped = bytes.word(at: position) ^ 0x3030_3030_3030_3030
      let low = flipped & 0x7F7F_7F7F_7F7F_7F7F
      let others = (low &+ 0x7676_7676_7676_7676 | flipped) & 0x8080_8080_8080_8080
      position &+= others.trailingZeroBitCount &>> 3
      guard others == 0 else { return }
    }
    while position < bytes.count, isDigit(bytes[position]) { position &+= 1 }
  }

  @inline(__always)
  private static func skipSomeDigits(
    _ bytes: JSONBytes, _ position: inout Int, from start: Int
  ) throws(JSONError) {
    let before = position
    skipDigits(bytes, &position)
    guard position > before else {
      guard position < bytes.count else { throw JSONError(byte: position, reason: .unexpectedEnd) }
      throw JSONError(byte: start, reason: .invalidNumber)
    }
  }
}
