/// Locates the first error of a text that is not JSON (RFC 8259).
///
/// The check reads a text byte by byte after `JSONParser` has rejected it. The parser itself can
/// skip and look ahead, because it does not have to report a reason.
enum JSONFault {
  /// Returns the first error of a text that has one.
  static func first(in bytes: JSONBytes) -> JSONError {
    do throws(JSONError) {
      try check(bytes)
    } catch {
      return error
    }
    preconditionFailure("a JSON text was refused that has no fault")
  }

  /// Throws the first error of a text, if it has one.
  static func check(_ bytes: JSONBytes) throws(JSONError) {
    var position = afterBlanks(bytes, 0)
    guard position < bytes.count else { throw JSONError(byte: position, reason: .empty) }
    // One entry for each open container: `true` for an object.
    var open: [Bool] = []
    repeat {
      if try !begin(bytes, &position, &open) { try goOn(bytes, &position, &open) }
    } while !open.isEmpty
    position = afterBlanks(bytes, position)
    guard position == bytes.count else { throw JSONError(byte: position, reason: .trailingBytes) }
  }

  /// Skips a scalar or an empty container, or everything before a container's first value.
  ///
  /// Returns `true` if a first value comes next.
  private static func begin(
    _ bytes: JSONBytes, _ position: inout Int, _ open: inout [Bool]
  ) throws(JSONError) -> Bool {
    let first = try peekAfterBlanks(bytes, &position)
    position += 1
    switch first {
    case UInt8(ascii: "\""): position = try skipString(bytes, position)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try skipNumber(bytes, &position, first)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < JSON.maximumDepth else {
        throw JSONError(byte: position - 1, reason: .tooDeep)
      }
      // In ASCII, a closing bracket is its opening bracket plus 2.
      if try peekAfterBlanks(bytes, &position) == first + 2 {
        position += 1
        return false
      }
      open.append(first == UInt8(ascii: "{"))
      if first == UInt8(ascii: "{") { try skipName(bytes, &position) }
      return true
    default: try skipWord(bytes, &position, first)
    }
    return false
  }

  /// Skips the closing brackets after a value, then the comma and any name before the next value.
  private static func goOn(
    _ bytes: JSONBytes, _ position: inout Int, _ open: inout [Bool]
  ) throws(JSONError) {
    while let isObject = open.last {
      let found = try peekAfterBlanks(bytes, &position)
      position += 1
      if found == UInt8(ascii: ",") {
        if isObject { try skipName(bytes, &position) }
        return
      }
      guard found == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw JSONError(byte: position - 1, reason: .unexpectedByte(found))
      }
      open.removeLast()
    }
  }

  /// Skips a member's name and its colon.
  private static func skipName(_ bytes: JSONBytes, _ position: inout Int) throws(JSONError) {
    let first = try peekAfterBlanks(bytes, &position)
    guard first == UInt8(ascii: "\"") else {
      throw JSONError(byte: position, reason: .unexpectedByte(first))
    }
    position = try skipString(bytes, position + 1)
    let colon = try peekAfterBlanks(bytes, &position)
    guard colon == UInt8(ascii: ":") else {
      throw JSONError(byte: position, reason: .unexpectedByte(colon))
    }
    position += 1
  }

  // MARK: Bytes

  static func peek(_ bytes: JSONBytes, _ position: Int) throws(JSONError) -> UInt8 {
    guard position < bytes.count else { throw JSONError(byte: position, reason: .unexpectedEnd) }
    return bytes[position]
  }

  /// Returns the next byte that is not whitespace, and moves `position` to it.
  static func peekAfterBlanks(
    _ bytes: JSONBytes, _ position: inout Int
  ) throws(JSONError) -> UInt8 {
    let byte = try peek(bytes, position)
    guard byte <= 0x20 else { return byte }
    position = afterBlanks(bytes, position)
    return try peek(bytes, position)
  }

  /// Returns the offset after any whitespace (RFC 8259, section 2).
  private static func afterBlanks(_ bytes: JSONBytes, _ start: Int) -> Int {
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      position &+= 1
    }
    return position
  }

  /// Skips the rest of `true`, `false` or `null` after its first letter.
  private static func skipWord(
    _ bytes: JSONBytes, _ position: inout Int, _ first: UInt8
  ) throws(JSONError) {
    switch first {
    case UInt8(ascii: "t"): try skip("rue", bytes, &position)
    case UInt8(ascii: "f"): try skip("alse", bytes, &position)
    case UInt8(ascii: "n"): try skip("ull", bytes, &position)
    default: throw JSONError(byte: position - 1, reason: .unexpectedByte(first))
    }
  }

  private static func skip(
    _ letters: StaticString, _ bytes: JSONBytes, _ position: inout Int
  ) throws(JSONError) {
    for offset in 0..<letters.utf8CodeUnitCount {
      let found = try peek(bytes, position)
      guard found == (unsafe letters.utf8Start[offset]) else {
        throw JSONError(byte: position, reason: .unexpectedByte(found))
      }
      position += 1
    }
  }

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
