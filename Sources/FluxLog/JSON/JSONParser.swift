/// Reads one JSON text (RFC 8259) and puts its values on a tape.
///
/// One pass, no recursion: the container that is open is the head of a chain through the `next`
/// members of the containers on the tape, so nesting costs no stack. All that changes from byte
/// to byte is in local variables, which the compiler keeps in registers; members of a structure
/// that calls share stay in memory, and made this four times slower.
enum JSONParser {
  /// Parses the whole text onto the tape, in place of what the tape held.
  @inline(never)
  static func parse(_ bytes: JSONBytes, into tape: inout JSONTapeBuffer) throws(JSONError) {
    // The limit is a constant in this copy of the loop: as a value, it takes a register from it.
    try parse(bytes, replacing: &tape, JSON.maximumDepth)
  }

  /// Parses a text that stands inside of another, and may nest less deep.
  @inline(never)
  static func parse(
    _ bytes: JSONBytes, into tape: inout JSONTapeBuffer, maximumDepth: Int
  ) throws(JSONError) {
    try parse(bytes, replacing: &tape, maximumDepth)
  }

  @inline(__always)
  private static func parse(
    _ bytes: JSONBytes, replacing tape: inout JSONTapeBuffer, _ maximumDepth: Int
  ) throws(JSONError) {
    guard bytes.count <= JSON.maximumByteCount else {
      throw JSONError(byte: JSON.maximumByteCount, reason: .tooLong)
    }
    // The buffer is taken over, and handed back on both ways out.
    var nodes = tape
    nodes.removeAll()
    do throws(JSONError) {
      try parse(bytes, &nodes, maximumDepth)
    } catch {
      tape = nodes
      throw error
    }
    tape = nodes
  }

  @inline(__always)
  private static func parse(
    _ bytes: JSONBytes, _ tape: inout JSONTapeBuffer, _ maximumDepth: Int
  ) throws(JSONError) {
    var position = 0
    position = afterBlanks(bytes, 0)
    guard position < bytes.count else { throw JSONError(byte: position, reason: .empty) }
    var open = OpenContainer()
    repeat {
      let first = try peekAfterBlanks(bytes, &position)
      let start = position
      position &+= 1
      switch first {
      case UInt8(ascii: "\""):
        try readString(bytes, &position, from: start, &tape)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        try skipNumber(bytes, &position, first)
        tape.append(JSONNode(.number, start: start, end: position, next: tape.count &+ 1))
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.depth < maximumDepth else {
          throw JSONError(byte: start, reason: .tooDeep)
        }
        if try begin(bytes, &position, first, &open, &tape) { continue }
      default:
        let kind = try skipWord(bytes, &position, first)
        tape.append(JSONNode(kind, start: start, end: position, next: tape.count &+ 1))
      }
      try goOn(bytes, &position, &open, &tape)
    } while open.depth > 0
    position = afterBlanks(bytes, position)
    guard position == bytes.count else { throw JSONError(byte: position, reason: .trailingBytes) }
  }

  // MARK: Bytes

  @inline(__always)
  static func peek(_ bytes: JSONBytes, _ position: Int) throws(JSONError) -> UInt8 {
    guard position < bytes.count else { throw JSONError(byte: position, reason: .unexpectedEnd) }
    return bytes[position]
  }

  /// The next byte that is not a blank; `position` is left there.
  @inline(__always)
  static func peekAfterBlanks(
    _ bytes: JSONBytes, _ position: inout Int
  ) throws(JSONError) -> UInt8 {
    let byte = try peek(bytes, position)
    guard byte <= 0x20 else { return byte }
    position = afterBlanks(bytes, position)
    return try peek(bytes, position)
  }

  /// The place after the four blanks of RFC 8259, section 2.
  @inline(never)
  private static func afterBlanks(_ bytes: JSONBytes, _ start: Int) -> Int {
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      position &+= 1
    }
    return position
  }

  /// After the first letter of `true`, `false` or `null`.
  @inline(__always)
  private static func skipWord(
    _ bytes: JSONBytes, _ position: inout Int, _ first: UInt8
  ) throws(JSONError) -> JSON.Kind {
    switch first {
    case UInt8(ascii: "t"):
      try skip("rue", bytes, &position)
      return .bool
    case UInt8(ascii: "f"):
      try skip("alse", bytes, &position)
      return .bool
    case UInt8(ascii: "n"):
      try skip("ull", bytes, &position)
      return .null
    default:
      throw JSONError(byte: position &- 1, reason: .unexpectedByte(first))
    }
  }

  @inline(__always)
  private static func skip(
    _ letters: StaticString, _ bytes: JSONBytes, _ position: inout Int
  ) throws(JSONError) {
    for offset in 0..<letters.utf8CodeUnitCount {
      let found = try peek(bytes, position)
      guard found == (unsafe letters.utf8Start[offset]) else {
        throw JSONError(byte: position, reason: .unexpectedByte(found))
      }
      position &+= 1
    }
  }
}
