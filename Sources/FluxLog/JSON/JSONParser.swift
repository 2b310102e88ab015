/// Reads one JSON text (RFC 8259) and puts its values on a tape.
///
/// One pass, no recursion: the container that is open is the chain of `next` members of the
/// containers on the tape, so nesting costs no stack.
struct JSONParser: ~Copyable {
  let bytes: JSONBytes
  var tape: JSONTapeBuffer
  var position = 0

  /// The container that is being read, and how deep it is; 0 outside of any.
  private var container = 0
  private var depth = 0
  private var isObject = false
  private var count: UInt32 = 0

  private init(_ bytes: JSONBytes, tape: consuming JSONTapeBuffer) {
    self.bytes = bytes
    self.tape = tape
    self.tape.removeAll()
  }

  /// Parses the whole text onto the tape, in place of what the tape held.
  static func parse(_ bytes: JSONBytes, into tape: inout JSONTapeBuffer) throws(JSONError) {
    var parser = JSONParser(bytes, tape: tape)
    do throws(JSONError) {
      try parser.parse()
    } catch {
      tape = parser.takeTape()
      throw error
    }
    tape = parser.takeTape()
  }

  private consuming func takeTape() -> JSONTapeBuffer { tape }

  private mutating func parse() throws(JSONError) {
    guard bytes.count <= JSON.maximumByteCount else {
      throw JSONError(byte: JSON.maximumByteCount, reason: .tooLong)
    }
    skipBlanks()
    guard position < bytes.count else { throw JSONError(byte: position, reason: .empty) }
    repeat {
      let opened = try readValue()
      if !opened { try closeContainers() }
    } while depth > 0
    skipBlanks()
    guard position == bytes.count else { throw JSONError(byte: position, reason: .trailingBytes) }
  }

  /// Reads a scalar, or the beginning of a container.
  ///
  /// Returns true where a container was opened and its first value comes next.
  @inline(__always)
  private mutating func readValue() throws(JSONError) -> Bool {
    skipBlanks()
    let start = position
    let first = try next()
    switch first {
    case UInt8(ascii: "\""):
      let escaped = try readString()
      append(.string, from: start, flags: escaped ? JSONNode.escaped : 0)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try readNumber(first)
      append(.number, from: start)
    case UInt8(ascii: "{"):
      return try open(.object, at: start)
    case UInt8(ascii: "["):
      return try open(.array, at: start)
    case UInt8(ascii: "t"):
      try readWord("true", .bool, from: start)
    case UInt8(ascii: "f"):
      try readWord("false", .bool, from: start)
    case UInt8(ascii: "n"):
      try readWord("null", .null, from: start)
    default:
      throw JSONError(byte: start, reason: .unexpectedByte(first))
    }
    return false
  }

  @inline(__always)
  private mutating func append(_ kind: JSON.Kind, from start: Int, flags: UInt32 = 0) {
    let node = JSONNode(kind, start: start, end: position, next: tape.count &+ 1, flags: flags)
    tape.append(node)
  }

  // MARK: Containers

  /// Returns false where the container is empty, and so closed already.
  @inline(__always)
  private mutating func open(_ kind: JSON.Kind, at start: Int) throws(JSONError) -> Bool {
    guard depth < JSON.maximumDepth else { throw JSONError(byte: start, reason: .tooDeep) }
    skipBlanks()
    let first = try peek()
    if first == (kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      position &+= 1
      append(kind, from: start, flags: kind == .object ? JSONNode.sorted : 0)
      return false
    }
    if depth > 0 { saveCount() }
    let place = tape.count
    tape.append(JSONNode(kind, start: start, end: start, next: container))
    container = place
    depth &+= 1
    count = 0
    isObject = kind == .object
    if isObject { try readName() }
    return true
  }

  /// After a value: goes on to the next one, or closes all containers that end here.
  @inline(__always)
  private mutating func closeContainers() throws(JSONError) {
    while depth > 0 {
      count &+= 1
      skipBlanks()
      let found = try next()
      if found == UInt8(ascii: ",") {
        if isObject { try readName() }
        return
      }
      guard found == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw JSONError(byte: position &- 1, reason: .unexpectedByte(found))
      }
      close()
    }
  }

  private mutating func readName() throws(JSONError) {
    skipBlanks()
    let start = position
    let first = try next()
    guard first == UInt8(ascii: "\"") else {
      throw JSONError(byte: start, reason: .unexpectedByte(first))
    }
    let escaped = try readString()
    append(.string, from: start, flags: escaped ? JSONNode.escaped : 0)
    skipBlanks()
    let colon = try next()
    guard colon == UInt8(ascii: ":") else {
      throw JSONError(byte: position &- 1, reason: .unexpectedByte(colon))
    }
  }

  @inline(__always)
  private mutating func saveCount() {
    tape[container].info = tape[container].info & 0xFF | min(count, JSONNode.countLimit) << 8
  }

  @inline(__always)
  private mutating func close() {
    saveCount()
    var node = tape[container]
    let parent = Int(node.next)
    node.end = UInt32(truncatingIfNeeded: position)
    node.next = UInt32(truncatingIfNeeded: tape.count)
    tape[container] = node
    if isObject { node.info |= tape.tape(over: bytes).nameFlags(container) }
    tape[container].info = node.info
    depth &-= 1
    guard depth > 0 else { return }
    container = parent
    let outer = tape[parent].info
    tape[parent].info = outer | node.info & JSONNode.holdsRepeat
    count = outer >> 8
    isObject = outer & 7 == UInt32(JSON.Kind.object.rawValue)
  }

  // MARK: Bytes

  @inline(__always)
  func peek() throws(JSONError) -> UInt8 {
    guard position < bytes.count else { throw JSONError(byte: position, reason: .unexpectedEnd) }
    return bytes[position]
  }

  @inline(__always)
  mutating func next() throws(JSONError) -> UInt8 {
    let byte = try peek()
    position &+= 1
    return byte
  }

  /// Skips the four blanks of RFC 8259, section 2.
  @inline(__always)
  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position] <= 0x20 {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position &+= 1
    }
  }

  private mutating func readWord(
    _ word: StaticString, _ kind: JSON.Kind, from start: Int
  ) throws(JSONError) {
    for offset in 1..<word.utf8CodeUnitCount {
      let expected = unsafe word.utf8Start[offset]
      let found = try next()
      guard found == expected else {
        throw JSONError(byte: position &- 1, reason: .unexpectedByte(found))
      }
    }
    append(kind, from: start)
  }
}
