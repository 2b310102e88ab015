extension JSONParser {
  /// The container that is being read.
  struct OpenContainer {
    /// Its place on the tape, how deep it is (0 outside of any), and its values so far.
    var place = 0
    var depth = 0
    var count: UInt32 = 0
    var isObject = false
    /// In an object, the place of the name that is likely to come next; otherwise 0.
    ///
    /// It is that of the object before it in an array, as long as all names were the same.
    var likelyName = 0
    /// In an array, the place of the last container in it; otherwise 0.
    var previous = 0
  }

  /// After an opening bracket: returns whether there is a first value, which then comes next.
  @inline(__always)
  static func begin(
    _ bytes: JSONBytes, _ position: inout Int, _ bracket: UInt8, _ open: inout OpenContainer,
    _ tape: inout JSONTapeBuffer
  ) throws(JSONError) -> Bool {
    let start = position &- 1
    let isObject = bracket == UInt8(ascii: "{")
    let kind: JSON.Kind = isObject ? .object : .array
    // In ASCII, a closing bracket is its opening one plus 2.
    if try peekAfterBlanks(bytes, &position) == bracket &+ 2 {
      position &+= 1
      let flags = isObject ? JSONNode.sorted : 0
      let next = tape.count &+ 1
      tape.append(JSONNode(kind, start: start, end: position, next: next, flags: flags))
      return false
    }
    if open.depth > 0 { save(open, &tape) }
    let place = tape.count
    let likely = isObject && open.previous > 0 ? firstName(of: open.previous, tape) : 0
    let flags = likely > 0 ? tape[open.previous].info & JSONNode.sorted : 0
    tape.append(JSONNode(kind, start: start, end: start, next: open.place, flags: flags))
    open.place = place
    open.depth &+= 1
    open.count = 0
    open.isObject = isObject
    open.likelyName = likely
    open.previous = 0
    if isObject { try readName(bytes, &position, &open, &tape) }
    return true
  }

  /// After a value: goes on to the next one, and closes all containers that end before it.
  @inline(__always)
  static func goOn(
    _ bytes: JSONBytes, _ position: inout Int, _ open: inout OpenContainer,
    _ tape: inout JSONTapeBuffer
  ) throws(JSONError) {
    while open.depth > 0 {
      open.count &+= 1
      let found = try peekAfterBlanks(bytes, &position)
      position &+= 1
      if found == UInt8(ascii: ",") {
        if open.isObject { try readName(bytes, &position, &open, &tape) }
        return
      }
      guard found == (open.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw JSONError(byte: position &- 1, reason: .unexpectedByte(found))
      }
      close(bytes, position, &open, &tape)
    }
  }

  @inline(__always)
  private static func readName(
    _ bytes: JSONBytes, _ position: inout Int, _ open: inout OpenContainer,
    _ tape: inout JSONTapeBuffer
  ) throws(JSONError) {
    let first = try peekAfterBlanks(bytes, &position)
    if open.likelyName == 0 || !skipLikelyName(bytes, &position, &open, &tape) {
      guard first == UInt8(ascii: "\"") else {
        throw JSONError(byte: position, reason: .unexpectedByte(first))
      }
      position &+= 1
      try readString(bytes, &position, from: position &- 1, &tape)
    }
    let colon = try peekAfterBlanks(bytes, &position)
    guard colon == UInt8(ascii: ":") else {
      throw JSONError(byte: position, reason: .unexpectedByte(colon))
    }
    position &+= 1
  }

  /// The first name of the object at `previous`, if that is the value just before on the tape.
  @inline(__always)
  private static func firstName(of previous: Int, _ tape: borrowing JSONTapeBuffer) -> Int {
    let node = tape[previous]
    let usable =
      Int(node.next) == tape.count && node.kind == .object && node.storedCount > 0
      && !node.has(JSONNode.repeatsName)
    return usable ? previous &+ 1 : 0
  }

  /// Skips a name that is the same, byte for byte, as the one in the object before.
  ///
  /// States are mostly arrays of objects of one kind. To expect the name is faster than to search
  /// its end, as the processor need not wait for the end to go on: parsing takes a third less time.
  @inline(__always)
  private static func skipLikelyName(
    _ bytes: JSONBytes, _ position: inout Int, _ open: inout OpenContainer,
    _ tape: inout JSONTapeBuffer
  ) -> Bool {
    let place = open.likelyName
    open.likelyName = 0
    // The object before ends where the open one begins.
    guard place < open.place else { return false }
    let name = tape[place]
    let length = Int(name.end &- name.start)
    guard bytes.quicklyEqual(Int(name.start), position, length: length) else { return false }
    open.likelyName = Int(tape[place &+ 1].next)
    let start = position
    position &+= length
    let flags = name.info & JSONNode.escaped
    let next = tape.count &+ 1
    tape.append(JSONNode(.string, start: start, end: position, next: next, flags: flags))
    return true
  }

  @inline(__always)
  static func readString(
    _ bytes: JSONBytes, _ position: inout Int, from start: Int, _ tape: inout JSONTapeBuffer
  ) throws(JSONError) {
    let flags = try skipString(bytes, &position) ? JSONNode.escaped : 0
    let next = tape.count &+ 1
    tape.append(JSONNode(.string, start: start, end: position, next: next, flags: flags))
  }

  @inline(__always)
  private static func save(_ open: OpenContainer, _ tape: inout JSONTapeBuffer) {
    let kindAndFlags = tape[open.place].info & 0xFF
    tape[open.place].info = kindAndFlags | min(open.count, JSONNode.countLimit) << 8
    tape[open.place].end = UInt32(truncatingIfNeeded: open.likelyName)
  }

  @inline(__always)
  private static func close(
    _ bytes: JSONBytes, _ position: Int, _ open: inout OpenContainer, _ tape: inout JSONTapeBuffer
  ) {
    save(open, &tape)
    let place = open.place
    let parent = Int(tape[place].next)
    tape[place].end = UInt32(truncatingIfNeeded: position)
    tape[place].next = UInt32(truncatingIfNeeded: tape.count)
    // Where all names were likely ones, the flag of the object before holds here too.
    if open.isObject, open.likelyName == 0 {
      // Taken back first: who looks for repeated names sorts them only where they are not sorted.
      tape[place].info &= ~JSONNode.sorted
      tape[place].info |= tape.tape(over: bytes).nameFlags(place)
    }
    open.depth &-= 1
    guard open.depth > 0 else { return }
    tape[parent].info |= tape[place].info & JSONNode.holdsRepeat
    open.place = parent
    open.count = tape[parent].info >> 8
    open.isObject = tape[parent].info & 7 == UInt32(JSON.Kind.object.rawValue)
    open.likelyName = open.isObject ? Int(tape[parent].end) : 0
    open.previous = open.isObject ? 0 : place
  }
}
