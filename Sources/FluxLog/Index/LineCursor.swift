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

  /// Advances past a literal if it is next; the comparison compiles to constants.
  @inline(__always)
  mutating func take(_ text: StaticString) -> Bool {
    let next = position &+ text.utf8CodeUnitCount
    guard next <= end,
      unsafe bytes.slice(position, next).equals(
        UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    else { return false }
    position = next
    return true
  }

  // MARK: Numbers

  @inline(__always)
  mutating func digits() -> UInt64? {
    guard var count = digitCount(at: position), count > 0 else { return nil }
    if count == 8 {
      guard let more = digitCount(at: position &+ 8) else { return nil }
      count &+= more
      if more == 8, digitCount(at: position &+ 16) != 0 { return nil }
    }
    let number = bytes.number(at: position, digits: count)
    position &+= count
    return position <= end ? number : nil
  }

  @inline(__always)
  mutating func seconds() -> UInt64? {
    guard let whole = digits(), whole < 1 << 40, take("."), digitCount(at: position) == 6 else {
      return nil
    }
    let decimals = bytes.number(at: position, digits: 6)
    position &+= 6
    return position <= end ? whole &* 1_000_000 &+ decimals : nil
  }

  /// Counts the digits at the start of the next eight bytes; `nil` at the end of the bytes.
  @inline(__always)
  private func digitCount(at offset: Int) -> Int? {
    offset &+ 8 <= bytes.count ? bytes.digitCount(at: offset) : nil
  }

  // MARK: Values

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
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipRest()
    default:
      while position < end, !Self.endsScalar(bytes[position]) { position += 1 }
      return true
    }
  }

  @inline(__always)
  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  /// Advances past the closing bracket of the innermost container, and everything before it.
  @inline(__always)
  mutating func skipRest() -> Bool {
    var depth = 1
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
      guard position < end else { return false }
      position += 1
      switch bytes[position - 1] {
      case UInt8(ascii: "\""): guard skipString() else { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return true
  }
}

// Word-wise searches as in "Hacker's Delight", 6-1: the lowest matching byte sets its high bit, and
// no byte before it does.
extension JSONBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Returns the distance to the next quote or backslash, or to the limit.
  @inline(__always)
  func distanceToQuoteOrBackslash(from start: Int, limit: Int) -> Int {
    var offset = start
    while offset &+ 8 <= count, offset < limit {
      let word = word(at: offset)
      let found =
        Self.zeros(word ^ Self.ones &* 0x22) | Self.zeros(word ^ Self.ones &* 0x5C)
      if found != 0 { return offset &- start &+ found.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < min(limit, count), self[offset] != 0x22, self[offset] != 0x5C { offset &+= 1 }
    return offset &- start
  }

  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- ones) & ~word & (ones &* 0x80)
  }
}
