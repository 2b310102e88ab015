import FluxJSON

/// Finds the values of a JSON text that is too long to be held at once.
///
/// A value is skipped by its quotes and brackets alone. Parsing its bytes finds every other fault. Offsets are those
/// of the whole text. In ``forEachMember(_:)``, each value must be skipped, which returns its range.
struct JSONScanner {
  /// Returns up to `count` bytes from `offset` on; fewer only at the end of the text.
  typealias Read = (_ offset: Int, _ count: Int) throws -> [UInt8]

  private let read: Read
  private let end: Int
  /// The number of bytes that are read at once.
  private let windowSize: Int
  private var window: [UInt8] = []
  private var windowStart: Int

  /// The offset of the next byte.
  private(set) var position: Int

  /// Scans a part of a text.
  init(_ range: Range<Int>, windowSize: Int = 1 << 20, read: @escaping Read) {
    self.read = read
    self.windowSize = windowSize
    end = range.upperBound
    position = range.lowerBound
    windowStart = range.lowerBound
  }

  // MARK: Bytes

  private mutating func loadIfNeeded() throws -> Bool {
    if position < windowStart + window.count { return true }
    guard position < end else { return false }
    window = try read(position, min(windowSize, end - position))
    windowStart = position
    return !window.isEmpty
  }

  /// Returns the next byte that is no whitespace, without taking it; nil at the end.
  mutating func peek() throws -> UInt8? {
    while try loadIfNeeded() {
      let byte = window[position - windowStart]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }

  /// Takes a byte order mark, if one is next.
  mutating func skipByteOrderMark() throws {
    guard try loadIfNeeded(), window[(position - windowStart)...].starts(with: [0xEF, 0xBB, 0xBF])
    else { return }
    position += 3
  }

  private mutating func expect(_ wanted: UInt8) throws {
    let found = try peekInside()
    guard found == wanted else { throw JSONError(byte: position, reason: .unexpectedByte(found)) }
    position += 1
  }

  private mutating func peekInside() throws -> UInt8 {
    guard let byte = try peek() else { throw JSONError(byte: end, reason: .unexpectedEnd) }
    return byte
  }

  /// Returns the bytes of a value that was found.
  func bytes(_ range: Range<Int>) throws -> [UInt8] {
    let (from, to) = (range.lowerBound - windowStart, range.upperBound - windowStart)
    if from >= 0, to <= window.count { return Array(window[from..<to]) }
    let bytes = try read(range.lowerBound, range.count)
    guard bytes.count == range.count else {
      throw JSONError(byte: range.lowerBound + bytes.count, reason: .unexpectedEnd)
    }
    return bytes
  }

  /// Parses a value that was found; the position of an error is that in the whole text.
  func parse(_ range: Range<Int>) throws -> JSON {
    let bytes = try bytes(range)
    do {
      return try JSON.parse(bytes)
    } catch {
      throw JSONError(byte: range.lowerBound + error.byte, reason: error.reason)
    }
  }

  // MARK: Values

  /// Takes the next value, and returns its place.
  @discardableResult
  mutating func skipValue() throws -> Range<Int> {
    let first = try peekInside()
    let start = position
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["): try skipNested()
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
      throw JSONError(byte: position, reason: .unexpectedByte(first))
    default: try skipScalar()
    }
    return start..<position
  }

  /// Calls `body` with the name of each member of the next value, which is an object; `body` takes the value.
  mutating func forEachMember(
    _ body: (inout JSONScanner, _ name: String) throws -> Void
  ) throws {
    try forEach(between: UInt8(ascii: "{"), UInt8(ascii: "}")) { scanner in
      let found = try scanner.peekInside()
      guard found == UInt8(ascii: "\"") else {
        throw JSONError(byte: scanner.position, reason: .unexpectedByte(found))
      }
      let name = try scanner.text(ofString: scanner.skipValue())
      try scanner.expect(UInt8(ascii: ":"))
      try body(&scanner, name)
    }
  }

  /// Calls `body` for each element of the next value, which is an array; `body` takes the element.
  mutating func forEachElement(_ body: (inout JSONScanner) throws -> Void) throws {
    try forEach(between: UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  private mutating func forEach(
    between opening: UInt8, _ closing: UInt8, _ body: (inout JSONScanner) throws -> Void
  ) throws {
    try expect(opening)
    var isOver = try peekInside() == closing
    if isOver { position += 1 }
    while !isOver {
      try body(&self)
      let found = try peekInside()
      guard found == UInt8(ascii: ",") || found == closing else {
        throw JSONError(byte: position, reason: .unexpectedByte(found))
      }
      position += 1
      isOver = found == closing
    }
  }

  /// Checks that nothing but whitespace follows.
  mutating func expectEnd() throws {
    if try peek() != nil { throw JSONError(byte: position, reason: .trailingBytes) }
  }

  private func text(ofString range: Range<Int>) throws -> String {
    let content = try bytes(range)
    guard content.contains(UInt8(ascii: "\\")),
      let string = try parse(range).string
    else { return String(decoding: content.dropFirst().dropLast(), as: UTF8.self) }
    return string
  }

  // MARK: Skipping

  private mutating func skipScalar() throws {
    let delimiters: [UInt8] = Array(",}] \n\r\t".utf8)
    while try loadIfNeeded(), !delimiters.contains(window[position - windowStart]) { position += 1 }
  }

  /// Takes a string, an array or an object.
  private mutating func skipNested() throws {
    var search = ValueEnd()
    while try loadIfNeeded() {
      var offset = position - windowStart
      let isOver = unsafe window.withUnsafeBytes { bytes in
        search.advance(unsafe JSONBytes(bytes), &offset)
      }
      position = windowStart + offset
      if isOver { return }
    }
    throw JSONError(byte: end, reason: .unexpectedEnd)
  }
}
