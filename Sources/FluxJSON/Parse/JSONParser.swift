/// Parses a JSON text (RFC 8259) onto a tape.
///
/// Parsing has two stages, which alternate for each window of the text. `JSONTokens` finds the
/// beginnings of tokens, and the parser moves from one token to the next. The parser does not have
/// to search for the ends of strings. The processor can start on a token before it has finished the
/// previous one.
///
/// Nesting uses no stack, because there is no recursion. The open containers form a chain through
/// the `next` fields of their nodes, with the innermost one at its head. All state that changes
/// with every token is in local variables, which the compiler keeps in registers.
///
/// The parser only detects that a text is invalid; `JSONFault` finds the position and the reason.
package enum JSONParser {
  /// Parses the whole text onto the tape and replaces the tape's contents.
  @inline(never)
  package static func parse(_ bytes: JSONBytes, into tape: inout JSONTapeBuffer) throws(JSONError) {
    guard bytes.count <= JSON.maximumByteCount else {
      throw JSONError(byte: JSON.maximumByteCount, reason: .tooLong)
    }
    // Move the buffer into a local variable, and move it back on success and on failure.
    var nodes = tape
    nodes.removeAll()
    let isSound = JSONTokens.withRoom { parse(bytes, $0, &nodes) }
    tape = nodes
    guard isSound else { throw JSONFault.first(in: bytes) }
  }

  @inline(__always)
  private static func parse(
    _ bytes: JSONBytes, _ tokens: JSONTokens, _ tape: inout JSONTapeBuffer
  ) -> Bool {
    var window = JSONTokens.Window()
    // The index of the next token, and the first index for which tokens or room may be missing.
    var (token, limit) = (0, 0)
    var open = OpenContainer()
    var isAfterContainer = false
    while true {
      // One iteration takes at most six tokens, and each token adds at most one node.
      if token &+ JSONTokens.supply > limit {
        if token &+ JSONTokens.supply > window.count {
          guard tokens.refill(from: token, of: bytes, &window) else { return false }
          token = 0
        }
        limit = min(window.count, token &+ tape.makeRoom(for: JSONTokens.supply))
      }
      if !isAfterContainer {
        if open.bracket == UInt8(ascii: "}") {
          // A name has three tokens: its two quotes and the colon.
          let (start, end) = (tokens[token], tokens[token &+ 1] &+ 1)
          guard bytes[token: start] == UInt8(ascii: "\""),
            bytes[token: tokens[token &+ 2]] == UInt8(ascii: ":"),
            appendString(bytes, start, end, window.mayHaveEscapes, &tape)
          else { return false }
          open.noteName(bytes.prefix(start &+ 1, end &- 1))
          if window.mayHaveEscapes, tape.endsEscaped { open.noteUnordered() }
          token &+= 3
        }
        let start = tokens[token]
        let first = bytes[token: start]
        token &+= 1
        if first == UInt8(ascii: "\"") {
          // A string contains no tokens, so the next token is its closing quote.
          let end = tokens[token] &+ 1
          token &+= 1
          guard appendString(bytes, start, end, window.mayHaveEscapes, &tape) else { return false }
        } else if first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-") {
          guard appendNumber(bytes, start, tokens[token], first, &tape) else { return false }
        } else if first | 0x20 == UInt8(ascii: "{") {
          guard open.depth < JSON.maximumDepth, open.depth > 0 || open.count == 0 else {
            return false
          }
          // In ASCII, a closing bracket is its opening bracket plus 2.
          let second = tokens[token]
          guard bytes[token: second] == first &+ 2 else {
            begin(start, first, &open, &tape)
            continue
          }
          token &+= 1
          appendEmpty(start, second &+ 1, first, &tape)
        } else {
          guard appendWord(bytes, start, tokens[token], &tape) else { return false }
        }
      }
      let place = tokens[token]
      let found = bytes[token: place]
      token &+= 1
      open.count &+= 1
      isAfterContainer = found != UInt8(ascii: ",")
      guard isAfterContainer else { continue }
      guard open.depth > 0 else {
        return open.count == 1 && window.isEnd(of: bytes, after: token)
      }
      guard found == open.bracket else { return false }
      close(bytes, place &+ 1, &open, &tape)
    }
  }

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

    @inline(__always)
    mutating func noteName(_ prefix: UInt64) {
      lastName = prefix > lastName ? prefix : Self.unordered
    }

    /// Records a name whose bytes do not determine its order.
    @inline(__always)
    mutating func noteUnordered() { lastName = Self.unordered }
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

extension JSON {
  /// Parses a text that contains exactly one value.
  ///
  /// - Throws: ``JSONError`` if the text is not JSON (RFC 8259), is too long or is nested too
  ///   deeply.
  public static func parse(_ text: String) throws(JSONError) -> JSON {
    try parse(Array(text.utf8))
  }

  /// Parses a UTF-8 text that contains exactly one value.
  ///
  /// - Throws: ``JSONError`` if the text is not JSON (RFC 8259), is too long or is nested too
  ///   deeply.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    JSON(document: try JSONDocument(parsing: bytes), place: 0)
  }

  /// Parses a text for callers that have another way if it is not JSON, and then learn there what is wrong with it; nil if
  /// it is not.
  package init?(ifValid bytes: [UInt8]) {
    do throws(JSONError) {
      self = try JSON.parse(bytes)
    } catch {
      return nil
    }
  }
}

extension JSONDocument {
  package convenience init(parsing text: [UInt8]) throws(JSONError) {
    // A state has about one value or name per eight bytes. If the estimate is too low, the buffer
    // grows.
    var buffer = JSONTapeBuffer(capacity: min(text.count, JSON.maximumByteCount) / 8 + 16)
    try unsafe text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
      let bytes = unsafe JSONBytes(UnsafeRawBufferPointer(bytes))
      try JSONParser.parse(bytes, into: &buffer)
    }
    self.init(assembled: text, tape: buffer)
  }
}
