extension JSONFault {
  /// Skips the rest of a number after its first byte (RFC 8259, section 6).
  static func skipNumber(
    _ bytes: JSONBytes, _ position: inout Int, _ first: UInt8
  ) throws(JSONError) {
    let start = position - 1
    var digit = first
    if first == UInt8(ascii: "-") {
      digit = try peek(bytes, position)
      guard isDigit(digit) else { throw JSONError(byte: start, reason: .invalidNumber) }
      position += 1
    }
    let afterFirst = position
    skipDigits(bytes, &position)
    if digit == UInt8(ascii: "0"), position != afterFirst {
      throw JSONError(byte: start, reason: .invalidNumber)
    }
    guard position < bytes.count else { return }
    if bytes[position] == UInt8(ascii: ".") {
      position += 1
      try skipSomeDigits(bytes, &position, from: start)
    }
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return }
    position += 1
    let sign = try peek(bytes, position)
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
    try skipSomeDigits(bytes, &position, from: start)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func skipDigits(_ bytes: JSONBytes, _ position: inout Int) {
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
  }

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
