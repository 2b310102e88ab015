import CChecksum

/// At most sixteen bytes to be expected in a line, each half with its first byte lowest.
///
/// Written as numbers, so that they are constants in the code that compares.
struct LineWord {
  let low: UInt64
  let high: UInt64
  let count: Int
}

/// A place in a line, and ways to go on from it; none goes beyond the line's end, or reads beyond
/// the bytes around it.
struct LineCursor {
  private(set) var bytes: JSONBytes
  var position = 0
  private(set) var end = 0
  /// Where the string ends, before its last quote, that was passed last.
  private(set) var stringEnd = 0
  /// Whether that string has escapes.
  private(set) var stringHasEscapes = false

  init() {
    bytes = unsafe JSONBytes(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  @inline(__always)
  mutating func begin(_ bytes: JSONBytes, from start: Int, to end: Int) {
    self.bytes = bytes
    position = start
    self.end = end
  }

  /// Goes past the word where it stands here.
  @inline(__always)
  mutating func take(_ word: LineWord) -> Bool {
    // After a line come at least the eighteen bytes of its sum.
    guard position + 16 <= bytes.count else { return false }
    let lowMask = word.count >= 8 ? UInt64.max : UInt64.max >> (64 - 8 * UInt64(word.count))
    guard (bytes.word(at: position) ^ word.low) & lowMask == 0 else { return false }
    if word.count > 8 {
      let highMask = UInt64.max >> (128 - 8 * UInt64(word.count))
      guard (bytes.word(at: position + 8) ^ word.high) & highMask == 0 else { return false }
    }
    position += word.count
    return position <= end
  }

  /// Reads a whole number of at most sixteen digits.
  @inline(__always)
  mutating func digits() -> UInt64? {
    let start = position
    guard let first = eightDigits() else { return nil }
    var value = first
    if position - start == 8, position < end, Self.isDigit(bytes[position]) {
      let middle = position
      guard let more = eightDigits() else { return nil }
      value = value &* Self.powers[position - middle] &+ more
      if position < end, Self.isDigit(bytes[position]) { return nil }
    }
    return position <= end ? value : nil
  }

  /// Reads one to eight digits, eight bytes in a register at once.
  @inline(__always)
  private mutating func eightDigits() -> UInt64? {
    guard position + 8 <= bytes.count else { return nil }
    let word = bytes.word(at: position) ^ Self.ones &* 0x30
    // What is no digit has a bit of its upper half set, after six are added at the latest.
    let others = (word | (word &+ Self.ones &* 0x06)) & (Self.ones &* 0xF0)
    let count = min(others.trailingZeroBitCount &>> 3, 8)
    guard count > 0 else { return nil }
    position += count
    // The digits move to the end; zeros come before them. Then pairs, fours and eights are
    // joined, each by one multiplication.
    let digits = word << UInt64(64 &- 8 &* count)
    let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours &>> 32) & 0xFFFF_FFFF
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let powers: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]

  /// Reads seconds with six decimals as microseconds.
  @inline(__always)
  mutating func seconds() -> UInt64? {
    guard let whole = digits(), whole < 1 << 40, position < end,
      bytes[position] == UInt8(ascii: ".")
    else { return nil }
    position += 1
    let start = position
    guard let fraction = digits(), position - start == 6 else { return nil }
    return whole * 1_000_000 + fraction
  }

  /// Goes past a string, from after its first quote.
  @inline(__always)
  mutating func skipString() -> Bool {
    stringHasEscapes = false
    while true {
      position += bytes.distanceToQuoteOrBackslash(from: position, limit: end)
      guard position < end else { return false }
      if bytes[position] == UInt8(ascii: "\"") {
        stringEnd = position
        position += 1
        return true
      }
      stringHasEscapes = true
      position += 2
    }
  }

  @inline(__always)
  mutating func skipValue() -> Bool {
    guard position < end else { return false }
    let first = bytes[position]
    position += 1
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

  /// Goes past as many closing brackets as are open, and all that is before them.
  @inline(__always)
  mutating func skipRest(depth: Int) -> Bool {
    var depth = depth
    var isInString: UInt64 = 0
    while position + 64 <= bytes.count {
      let structure = bytes.structure(at: position)
      // Which quotes count is for the slower way to find out.
      guard structure.backslashes == 0 else { break }
      let strings = Self.prefixParity(structure.quotes) ^ isInString
      var closing = structure.closing & ~strings
      var opening = structure.opening & ~strings
      // Bracket by bracket, the lowest bit first: to count bits takes more than a block has
      // brackets, where the processor is not known to have an instruction for it.
      while closing != 0 {
        let before = (closing & (0 &- closing)) &- 1
        while opening & before != 0 {
          opening &= opening &- 1
          depth += 1
        }
        depth -= 1
        if depth == 0 {
          position += closing.trailingZeroBitCount + 1
          return position <= end
        }
        closing &= closing &- 1
      }
      depth += opening.nonzeroBitCount
      isInString = strings &>> 63 == 0 ? 0 : .max
      position += 64
      guard position < end else { return false }
    }
    if isInString != 0 {
      guard skipString() else { return false }
    }
    return skipRestSlowly(depth: depth)
  }

  /// For each bit, whether it and those before it are odd in number: from a string's first quote
  /// to before its last.
  @inline(__always)
  private static func prefixParity(_ bits: UInt64) -> UInt64 {
    var parity = bits
    parity ^= parity &<< 1
    parity ^= parity &<< 2
    parity ^= parity &<< 4
    parity ^= parity &<< 8
    parity ^= parity &<< 16
    parity ^= parity &<< 32
    return parity
  }

  /// The same from quote to quote, which escapes do not mislead.
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
