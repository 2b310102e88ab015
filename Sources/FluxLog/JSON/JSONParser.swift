/// Reads one JSON text (RFC 8259) and puts its values on a tape.
///
/// In two stages, one piece of the text after the other: `JSONTokens` finds where tokens begin,
/// and this goes from one token to the next. So it does not search for the ends of strings, and the
/// processor need not wait for the end of one token to know where the next one is.
///
/// No recursion: the container that is open is the head of a chain through the `next` members of
/// the containers on the tape, so nesting costs no stack. All that changes from token to token is
/// in local variables, which the compiler keeps in registers.
///
/// This tells only whether a text is JSON; `JSONFault` finds out where and why one is not.
enum JSONParser {
  /// Parses the whole text onto the tape, in place of what the tape held.
  @inline(never)
  static func parse(_ bytes: JSONBytes, into tape: inout JSONTapeBuffer) throws(JSONError) {
    guard bytes.count <= JSON.maximumByteCount else {
      throw JSONError(byte: JSON.maximumByteCount, reason: .tooLong)
    }
    // The buffer is taken over, and handed back on both ways out.
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
    var piece = JSONTokens.Piece()
    // The next token, and before which one there may be no room on the tape.
    var (token, limit) = (0, 0)
    var open = OpenContainer()
    var isAfterContainer = false
    while true {
      // What follows takes at most six tokens, and a token brings at most one node.
      if token &+ JSONTokens.supply > limit {
        if token &+ JSONTokens.supply > piece.count {
          guard tokens.refill(from: token, of: bytes, &piece) else { return false }
          token = 0
        }
        limit = min(piece.count, token &+ tape.makeRoom(for: JSONTokens.supply))
      }
      if !isAfterContainer {
        if open.bracket == UInt8(ascii: "}") {
          // A name: its two quotes, and the colon.
          let (start, end) = (tokens[token], tokens[token &+ 1] &+ 1)
          guard bytes[token: start] == UInt8(ascii: "\""),
            bytes[token: tokens[token &+ 2]] == UInt8(ascii: ":"),
            appendString(bytes, start, end, piece.mayHaveEscapes, &tape)
          else { return false }
          open.takeName(bytes.prefix(start &+ 1, end &- 1))
          if piece.mayHaveEscapes, tape.endsEscaped { open.takeUnordered() }
          token &+= 3
        }
        let start = tokens[token]
        let first = bytes[token: start]
        token &+= 1
        if first == UInt8(ascii: "\"") {
          // No token is within a string, so the next one is the quote that ends it.
          let end = tokens[token] &+ 1
          token &+= 1
          guard appendString(bytes, start, end, piece.mayHaveEscapes, &tape) else { return false }
        } else if first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-") {
          guard appendNumber(bytes, start, tokens[token], first, &tape) else { return false }
        } else if first | 0x20 == UInt8(ascii: "{") {
          guard open.depth < JSON.maximumDepth, open.depth > 0 || open.count == 0 else {
            return false
          }
          // In ASCII, a closing bracket is its opening one plus 2.
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
        return open.count == 1 && piece.isEnd(of: bytes, after: token)
      }
      guard found == open.bracket else { return false }
      close(bytes, place &+ 1, &open, &tape)
    }
  }
}
