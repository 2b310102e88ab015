extension JSONParser {
  /// Reads what follows the first byte of a number (RFC 8259, section 6).
  @inline(__always)
  mutating func readNumber(_ first: UInt8) throws(JSONError) {
    let start = position &- 1
    var digit = first
    if first == UInt8(ascii: "-") {
      digit = try next()
      guard isDigit(digit) else { throw JSONError(byte: start, reason: .invalidNumber) }
    }
    if digit == UInt8(ascii: "0") {
      guard !isDigit(atEnd: position) else { throw JSONError(byte: start, reason: .invalidNumber) }
    } else {
      skipDigits()
    }
    guard position < bytes.count else { return }
    if bytes[position] == UInt8(ascii: ".") {
      position &+= 1
      try readDigits(from: start)
    }
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return }
    position &+= 1
    let sign = try peek()
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position &+= 1 }
    try readDigits(from: start)
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  @inline(__always)
  private func isDigit(atEnd offset: Int) -> Bool {
    offset < bytes.count && isDigit(bytes[offset])
  }

  @inline(__always)
  private mutating func skipDigits() {
    while isDigit(atEnd: position) { position &+= 1 }
  }

  /// Reads at least one digit.
  @inline(__always)
  private mutating func readDigits(from start: Int) throws(JSONError) {
    guard isDigit(try peek()) else { throw JSONError(byte: start, reason: .invalidNumber) }
    skipDigits()
  }
}
