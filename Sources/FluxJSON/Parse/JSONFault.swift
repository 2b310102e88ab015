/// Locates the first error of a text that is not JSON (RFC 8259).
///
/// The check reads a text byte by byte after `JSONParser` has rejected it. The parser itself can
/// skip and look ahead, because it does not have to report a reason.
struct JSONFault {
  private let bytes: JSONBytes
  private var position = 0
  /// One entry for each open container: `true` for an object.
  private var open: [Bool] = []

  private init(_ bytes: JSONBytes) { self.bytes = bytes }

  static func first(in bytes: JSONBytes) -> JSONError {
    do throws(JSONError) {
      try check(bytes)
    } catch {
      return error
    }
    preconditionFailure("a JSON text was refused that has no fault")
  }

  static func check(_ bytes: JSONBytes) throws(JSONError) {
    var fault = JSONFault(bytes)
    try fault.checkText()
  }

  private mutating func checkText() throws(JSONError) {
    skipBlanks()
    guard position < bytes.count else { throw error(.empty) }
    repeat {
      if try !begin() { try continueContainers() }
    } while !open.isEmpty
    skipBlanks()
    guard position == bytes.count else { throw error(.trailingBytes) }
  }

  /// Skips a scalar or an empty container, or everything before a container's first value.
  ///
  /// Returns `true` if a first value comes next.
  private mutating func begin() throws(JSONError) -> Bool {
    let first = try peekAfterBlanks()
    position += 1
    switch first {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber(first)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < JSON.maximumDepth else { throw error(.tooDeep, at: position - 1) }
      // In ASCII, a closing bracket is its opening bracket plus 2.
      if try peekAfterBlanks() == first + 2 {
        position += 1
        return false
      }
      open.append(first == UInt8(ascii: "{"))
      if first == UInt8(ascii: "{") { try skipName() }
      return true
    case UInt8(ascii: "t"): try skip("rue")
    case UInt8(ascii: "f"): try skip("alse")
    case UInt8(ascii: "n"): try skip("ull")
    default: throw error(.unexpectedByte(first), at: position - 1)
    }
    return false
  }

  /// Skips the closing brackets after a value, then the comma and any name before the next value.
  private mutating func continueContainers() throws(JSONError) {
    while let isObject = open.last {
      let found = try peekAfterBlanks()
      position += 1
      if found == UInt8(ascii: ",") {
        if isObject { try skipName() }
        return
      }
      guard found == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw error(.unexpectedByte(found), at: position - 1)
      }
      open.removeLast()
    }
  }

  private mutating func skipName() throws(JSONError) {
    let first = try peekAfterBlanks()
    guard first == UInt8(ascii: "\"") else { throw error(.unexpectedByte(first)) }
    position += 1
    try skipString()
    let colon = try peekAfterBlanks()
    guard colon == UInt8(ascii: ":") else { throw error(.unexpectedByte(colon)) }
    position += 1
  }

  // MARK: Bytes

  private func error(_ reason: JSONError.Reason, at place: Int? = nil) -> JSONError {
    JSONError(byte: place ?? position, reason: reason)
  }

  private func peek(_ offset: Int = 0) throws(JSONError) -> UInt8 {
    let place = position + offset
    guard place < bytes.count else { throw error(.unexpectedEnd, at: place) }
    return bytes[place]
  }

  private mutating func peekAfterBlanks() throws(JSONError) -> UInt8 {
    _ = try peek()
    skipBlanks()
    return try peek()
  }

  /// Skips whitespace (RFC 8259, section 2).
  private mutating func skipBlanks() {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      position += 1
    }
  }

  private mutating func skip(_ letters: StaticString) throws(JSONError) {
    for offset in 0..<letters.utf8CodeUnitCount {
      let found = try peek()
      guard found == (unsafe letters.utf8Start[offset]) else { throw error(.unexpectedByte(found)) }
      position += 1
    }
  }

  // MARK: Strings

  /// Skips the rest of a string after its opening quote.
  private mutating func skipString() throws(JSONError) {
    while true {
      let found = try peek()
      switch found {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"): try skipEscape()
      case 0x80...: try skipSequence(found)
      case ..<0x20: throw error(.controlCharacter(found))
      default: position += 1
      }
    }
  }

  private mutating func skipEscape() throws(JSONError) {
    switch try peek(1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      for offset in 2..<6 where JSONString.hexDigit(try peek(offset)) == nil {
        throw error(.invalidEscape)
      }
      position += 6
    default: throw error(.invalidEscape)
    }
  }

  /// Skips a non-ASCII character (The Unicode Standard, table 3-7).
  private mutating func skipSequence(_ first: UInt8) throws(JSONError) {
    let second: ClosedRange<UInt8>
    let length: Int
    switch first {
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xE1...0xEC, 0xEE...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: throw error(.invalidUTF8)
    }
    guard second.contains(try peek(1)) else { throw error(.invalidUTF8) }
    for offset in 2..<length where try peek(offset) & 0xC0 != 0x80 { throw error(.invalidUTF8) }
    position += length
  }

  // MARK: Numbers

  /// Skips the rest of a number after its first byte (RFC 8259, section 6).
  private mutating func skipNumber(_ first: UInt8) throws(JSONError) {
    let start = position - 1
    var digit = first
    if first == UInt8(ascii: "-") {
      digit = try peek()
      guard digit &- UInt8(ascii: "0") < 10 else { throw error(.invalidNumber, at: start) }
      position += 1
    }
    let hasMoreDigits = skipDigits()
    if digit == UInt8(ascii: "0"), hasMoreDigits { throw error(.invalidNumber, at: start) }
    guard position < bytes.count else { return }
    if bytes[position] == UInt8(ascii: ".") {
      position += 1
      try requireDigits(from: start)
    }
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return }
    position += 1
    let sign = try peek()
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
    try requireDigits(from: start)
  }

  /// Returns `true` if there was a digit.
  private mutating func skipDigits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > start
  }

  private mutating func requireDigits(from start: Int) throws(JSONError) {
    guard !skipDigits() else { return }
    throw position < bytes.count ? error(.invalidNumber, at: start) : error(.unexpectedEnd)
  }
}
