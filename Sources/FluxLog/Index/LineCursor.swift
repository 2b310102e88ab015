import FluxJSON

/// A position in a line and methods that advance it, without parsing.
///
/// No method advances past the end of the line, or reads outside the bytes around it.
struct LineCursor {
  private(set) var bytes: JSONBytes
  var position = 0
  private(set) var end = 0
  /// The end of the last skipped string, before its closing quote.
  private(set) var stringEnd = 0
  /// `true` if that string has escapes.
  private(set) var stringHasEscapes = false
  private var window = BracketWindow()

  init() {
    bytes = unsafe JSONBytes(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  @inline(__always)
  mutating func begin(_ bytes: JSONBytes, from start: Int, to end: Int) {
    self.bytes = bytes
    position = start
    self.end = end
    window.clear()
  }

  /// Advances past a word if it is next.
  @inline(__always)
  mutating func take(_ word: LineWord) -> Bool {
    // At least the eighteen bytes of the sum follow the last member.
    guard position &+ 16 <= bytes.count else { return false }
    let lowMask = word.count >= 8 ? UInt64.max : UInt64.max &>> (64 &- 8 &* UInt64(word.count))
    guard (bytes.word(at: position) ^ word.low) & lowMask == 0 else { return false }
    if word.count > 8 {
      let highMask = UInt64.max &>> (128 &- 8 &* UInt64(word.count))
      guard (bytes.word(at: position &+ 8) ^ word.high) & highMask == 0 else { return false }
    }
    position &+= word.count
    return position <= end
  }

  /// Advances past a string, from after its opening quote.
  @inline(__always)
  mutating func skipString() -> Bool {
    stringHasEscapes = false
    while true {
      position &+= bytes.distanceToQuoteOrBackslash(from: position, limit: end)
      guard position < end else { return false }
      if bytes[position] == UInt8(ascii: "\"") {
        stringEnd = position
        position &+= 1
        return true
      }
      stringHasEscapes = true
      position &+= 2
    }
  }

  @inline(__always)
  mutating func skipValue() -> Bool {
    guard position < end else { return false }
    let first = bytes[position]
    position &+= 1
    switch first {
    case UInt8(ascii: "\""): return skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipRest(depth: 1)
    default:
      while position < end, !Self.endsScalar(bytes[position]) { position += 1 }
      return true
    }
  }

  @inline(__always)
  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  /// Advances past as many closing brackets as are open, and everything before them.
  @inline(__always)
  mutating func skipRest(depth: Int) -> Bool {
    var depth = depth
    guard window.contains(position) || window.look(bytes, at: position, isInString: 0) else {
      return skipRestSlowly(depth: depth)
    }
    let passed = UInt64.max &<< UInt64(truncatingIfNeeded: position &- window.start)
    var closing = window.closing & passed
    var opening = window.opening & passed
    while true {
      // Visits the brackets one by one, lowest bit first. Counting bits takes longer than that for
      // the few brackets of a block, unless the processor is known to have an instruction for it.
      while closing != 0 {
        let before = (closing & (0 &- closing)) &- 1
        while opening & before != 0 {
          opening &= opening &- 1
          depth &+= 1
        }
        depth &-= 1
        if depth == 0 {
          position = window.start &+ closing.trailingZeroBitCount &+ 1
          return position <= end
        }
        closing &= closing &- 1
      }
      depth &+= opening.nonzeroBitCount
      position = window.start &+ 64
      guard position < end else { return false }
      let isInString = window.isInString
      guard window.look(bytes, at: position, isInString: isInString) else {
        window.clear()
        guard isInString == 0 || skipString() else { return false }
        return skipRestSlowly(depth: depth)
      }
      closing = window.closing
      opening = window.opening
    }
  }

  /// Does the same from quote to quote, which handles escapes.
  @inline(never)
  private mutating func skipRestSlowly(depth: Int) -> Bool {
    var depth = depth
    while depth > 0 {
      position += bytes.distanceToQuoteOrBracket(from: position, limit: end)
      guard position < end else { return false }
      let found = bytes[position]
      position += 1
      if found == UInt8(ascii: "\"") {
        guard skipString() else { return false }
      } else {
        // Opening brackets are 0x5B and 0x7B, closing ones 0x5D and 0x7D.
        depth += found & 0x02 != 0 ? 1 : -1
      }
    }
    return true
  }
}
