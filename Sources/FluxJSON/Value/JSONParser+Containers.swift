extension JSONParser {
  /// The innermost open container.
  struct OpenContainer {
    /// Its index on the tape, its depth (0 outside any container) and the number of its values so
    /// far.
    var place = 0
    var depth = 0
    var count: UInt32 = 0
    /// The closing bracket that ends it.
    var bracket: UInt8 = 0
    /// The prefix of an object's last name.
    ///
    /// This is `unordered` once a name did not sort after the previous one, as far as prefixes
    /// tell.
    fileprivate var lastName: UInt64 = 0

    /// A prefix that no name can have, because it is not UTF-8.
    fileprivate static let unordered = UInt64.max

    /// Records the prefix of a name.
    @inline(__always)
    mutating func takeName(_ prefix: UInt64) {
      lastName = prefix > lastName ? prefix : Self.unordered
    }

    /// Records a name whose bytes do not determine its order.
    @inline(__always)
    mutating func takeUnordered() { lastName = Self.unordered }
  }

  /// Appends an empty array or object to the tape.
  @inline(__always)
  static func appendEmpty(
    _ start: Int, _ end: Int, _ bracket: UInt8, _ tape: inout JSONTapeBuffer
  ) {
    let isObject = bracket == UInt8(ascii: "{")
    tape.appendLeaf(
      isObject ? .object : .array, start: start, end: end, flags: isObject ? JSONNode.sorted : 0)
  }

  /// Opens a nonempty array or object that begins at `start`.
  @inline(__always)
  static func begin(
    _ start: Int, _ bracket: UInt8, _ open: inout OpenContainer, _ tape: inout JSONTapeBuffer
  ) {
    if open.depth > 0 { tape.keep(open) }
    let kind: JSON.Kind = bracket == UInt8(ascii: "{") ? .object : .array
    let place = tape.count
    tape.appendInRoom(JSONNode(kind, start: start, end: start, next: open.place))
    open.place = place
    open.depth &+= 1
    open.count = 0
    open.lastName = 0
    // In ASCII, a closing bracket is its opening bracket plus 2.
    open.bracket = bracket &+ 2
  }

  /// Closes the innermost container; `end` is the offset after its closing bracket.
  @inline(__always)
  static func close(
    _ bytes: JSONBytes, _ end: Int, _ open: inout OpenContainer, _ tape: inout JSONTapeBuffer
  ) {
    let place = open.place
    var node = tape[place]
    let parent = Int(node.next)
    node.end = UInt32(truncatingIfNeeded: end)
    node.next = UInt32(truncatingIfNeeded: tape.count)
    let count = min(open.count, JSONNode.countLimit) << 8
    node.info = node.info & (0xFF & ~JSONNode.sorted) | count
    if open.bracket == UInt8(ascii: "}") {
      if open.lastName == OpenContainer.unordered {
        tape[place] = node
        node.info |= tape.tape(over: bytes).nameFlags(place)
      } else {
        node.info |= JSONNode.sorted
      }
    }
    tape[place] = node
    open.depth &-= 1
    guard open.depth > 0 else {
      open.count = 0
      return
    }
    tape[parent].info |= node.info & JSONNode.holdsRepeat
    open.place = parent
    let info = tape[parent].info
    open.count = info >> 8
    open.bracket = UInt8(ascii: "]")
    guard info & 7 == UInt32(JSON.Kind.object.rawValue) else { return }
    open.bracket = UInt8(ascii: "}")
    // A member's name precedes its value on the tape.
    let name = tape[place &- 1]
    open.lastName =
      info & JSONNode.sorted != 0
      ? bytes.prefix(Int(name.start) &+ 1, Int(name.end) &- 1) : OpenContainer.unordered
  }
}

extension JSONTapeBuffer {
  /// `true` if the last node is a string with escapes.
  @inline(__always)
  var endsEscaped: Bool { self[count &- 1].has(JSONNode.escaped) }

  /// Saves the state of an open container in its node until the containers inside it are closed.
  @inline(__always)
  fileprivate mutating func keep(_ open: JSONParser.OpenContainer) {
    let sorted = open.lastName == JSONParser.OpenContainer.unordered ? 0 : JSONNode.sorted
    let flags = self[open.place].info & (0xFF & ~JSONNode.sorted) | sorted
    self[open.place].info = flags | min(open.count, JSONNode.countLimit) << 8
  }
}
