extension JSONParser {
  /// The container that is being read.
  struct OpenContainer {
    /// Its place on the tape, how deep it is (0 outside of any), and its values so far.
    var place = 0
    var depth = 0
    var count: UInt32 = 0
    /// The bracket that ends it.
    var bracket: UInt8 = 0
  }

  /// Puts an array or object without values on the tape.
  @inline(__always)
  static func appendEmpty(
    _ start: Int, _ end: Int, _ bracket: UInt8, _ tape: inout JSONTapeBuffer
  ) {
    let isObject = bracket == UInt8(ascii: "{")
    let kind: JSON.Kind = isObject ? .object : .array
    let flags = isObject ? JSONNode.sorted : 0
    tape.appendInRoom(JSONNode(kind, start: start, end: end, next: tape.count &+ 1, flags: flags))
  }

  /// Opens an array or object that begins at `start` and has values.
  @inline(__always)
  static func begin(
    _ start: Int, _ bracket: UInt8, _ open: inout OpenContainer, _ tape: inout JSONTapeBuffer
  ) {
    if open.depth > 0 { tape.setCount(min(open.count, JSONNode.countLimit), at: open.place) }
    let kind: JSON.Kind = bracket == UInt8(ascii: "{") ? .object : .array
    let place = tape.count
    tape.appendInRoom(JSONNode(kind, start: start, end: start, next: open.place))
    open.place = place
    open.depth &+= 1
    open.count = 0
    // In ASCII, a closing bracket is its opening one plus 2.
    open.bracket = bracket &+ 2
  }

  /// Closes the container that is open, which ends before `end`.
  @inline(__always)
  static func close(
    _ bytes: JSONBytes, _ end: Int, _ open: inout OpenContainer, _ tape: inout JSONTapeBuffer
  ) {
    let place = open.place
    var node = tape[place]
    let parent = Int(node.next)
    node.end = UInt32(truncatingIfNeeded: end)
    node.next = UInt32(truncatingIfNeeded: tape.count)
    node.info = node.info & 0xFF | min(open.count, JSONNode.countLimit) << 8
    tape[place] = node
    if open.bracket == UInt8(ascii: "}") {
      node.info |= tape.tape(over: bytes).nameFlags(place)
      tape[place].info = node.info
    }
    open.depth &-= 1
    guard open.depth > 0 else { return }
    tape[parent].info |= node.info & JSONNode.holdsRepeat
    open.place = parent
    open.count = tape[parent].info >> 8
    open.bracket =
      tape[parent].info & 7 == UInt32(JSON.Kind.object.rawValue)
      ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }
}

extension JSONTapeBuffer {
  /// Keeps how many values an open container has had, until those in it are closed.
  @inline(__always)
  fileprivate mutating func setCount(_ count: UInt32, at place: Int) {
    self[place].info = self[place].info & 0xFF | count << 8
  }
}
