/// Reads the outline of step lines without parsing them.
///
/// Only for lines whose sum is right: such a line is what a writer wrote, so it is JSON, and its
/// values need not be looked into. Whatever stands otherwise than writers put it gives nil, and
/// the line is parsed instead. Nothing is read beyond the line's end, whatever the line holds.
struct OutlineReader {
  private var bytes: JSONBytes
  private var position = 0
  private var end = 0
  /// The stores that the line read last writes.
  private(set) var writes: [OutlinedWrite] = []

  init() {
    bytes = unsafe JSONBytes(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Reads the line from `start` to before the comma of its sum.
  @inline(__always)
  mutating func outline(_ bytes: JSONBytes, from start: Int, to end: Int) -> StepOutline? {
    self.bytes = bytes
    position = start
    self.end = end
    writes.removeAll(keepingCapacity: true)
    guard take(Self.number), let number = digits(), take(Self.time), let time = seconds(),
      take(Self.action), take(Self.type)
    else { return nil }
    let typeStart = position
    guard skipString(), !lastStringHasEscapes else { return nil }
    var outline = StepOutline(number: number, time: time, type: typeStart..<lastStringEnd)
    guard skipRest(depth: 1) else { return nil }
    while position < end {
      guard readMember(&outline) else { return nil }
    }
    guard position == end, !(outline.isRejected && !writes.isEmpty) else { return nil }
    return outline
  }

  private static let number = Word(#"{"n":"#)
  private static let time = Word(#","t":"#)
  private static let action = Word(#","action":"#)
  private static let type = Word(#"{"type":""#)

  private var lastStringEnd = 0
  private var lastStringHasEscapes = false

  // MARK: Members

  /// Reads one member after the action; the first byte of its name tells most of them apart.
  @inline(__always)
  private mutating func readMember(_ outline: inout StepOutline) -> Bool {
    guard position + 4 < end, bytes[position] == UInt8(ascii: ","),
      bytes[position + 1] == UInt8(ascii: "\"")
    else { return false }
    switch bytes[position + 2] {
    case UInt8(ascii: "p"):
      return take(Self.patches) && readStores(.patch)
    case UInt8(ascii: "s"):
      return take(Self.states) && readStores(.whole)
    case UInt8(ascii: "c"):
      guard outline.cause == nil, take(Self.cause), let cause = digits() else { return false }
      outline.cause = cause
      return true
    case UInt8(ascii: "r"):
      return readRemovedOrRejected(&outline)
    case UInt8(ascii: "t"):
      if take(Self.took) { return digits() != nil }
      return take(Self.target) && skipString()
    case UInt8(ascii: "e"):
      return take(Self.effect) && skipString()
    case UInt8(ascii: "a"):
      return take(Self.source) && skipString()
    default:
      return false
    }
  }

  private static let patches = Word(#","patches":{"#)
  private static let states = Word(#","states":{"#)
  private static let cause = Word(#","cause":"#)
  private static let took = Word(#","took":"#)
  private static let target = Word(#","target":""#)
  private static let effect = Word(#","effect":""#)
  private static let source = Word(#","at":""#)
  private static let removed = Word(#","removed":["#)
  private static let rejected = Word(#","rejected":{"#)

  /// Reads the members of `states` or `patches`, from after the brace on.
  @inline(__always)
  private mutating func readStores(_ kind: WriteKind) -> Bool {
    // Each of them stands once in a line, and patches after states.
    guard writes.allSatisfy({ $0.kind.rawValue < kind.rawValue }) else { return false }
    while position < end {
      guard bytes[position] == UInt8(ascii: "\"") else { return false }
      position += 1
      guard readName(kind), position + 1 < end, bytes[position] == UInt8(ascii: ":") else {
        return false
      }
      position += 1
      if kind == .patch, bytes[position] != UInt8(ascii: "[") { return false }
      guard skipValue(), position < end else { return false }
      position += 1
      if bytes[position - 1] == UInt8(ascii: "}") { return true }
      guard bytes[position - 1] == UInt8(ascii: ",") else { return false }
    }
    return false
  }

  @inline(never)
  private mutating func readRemovedOrRejected(_ outline: inout StepOutline) -> Bool {
    if take(Self.rejected) {
      guard !outline.isRejected else { return false }
      outline.isRejected = true
      return skipRest(depth: 1)
    }
    guard take(Self.removed), writes.allSatisfy({ $0.kind != .removal }) else { return false }
    while position < end {
      guard bytes[position] == UInt8(ascii: "\"") else { return false }
      position += 1
      guard readName(.removal), position < end else { return false }
      position += 1
      if bytes[position - 1] == UInt8(ascii: "]") { return true }
      guard bytes[position - 1] == UInt8(ascii: ",") else { return false }
    }
    return false
  }

  /// Reads a store's name, from after its first quote to after its last.
  @inline(__always)
  private mutating func readName(_ kind: WriteKind) -> Bool {
    let start = position
    // The same name can be written in two ways, and only the parser knows.
    guard skipString(), !lastStringHasEscapes else { return false }
    writes.append(OutlinedWrite(name: start..<lastStringEnd, kind: kind))
    return true
  }

  // MARK: Values

  /// Bytes to be expected, at most sixteen of them.
  private struct Word {
    let low: UInt64
    let high: UInt64
    let count: Int

    init(_ text: StaticString) {
      count = text.utf8CodeUnitCount
      precondition(count <= 16)
      (low, high) = text.withUTF8Buffer { buffer in
        var words: (UInt64, UInt64) = (0, 0)
        for place in buffer.indices {
          let byte = unsafe UInt64(buffer[place])
          if place < 8 {
            words.0 |= byte << (8 * UInt64(place))
          } else {
            words.1 |= byte << (8 * UInt64(place - 8))
          }
        }
        return words
      }
    }
  }

  /// Goes past the word where it stands here.
  @inline(__always)
  private mutating func take(_ word: Word) -> Bool {
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

  /// Reads a whole number of at most eighteen digits.
  @inline(__always)
  private mutating func digits() -> UInt64? {
    let start = position
    var value: UInt64 = 0
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      position += 1
    }
    let count = position - start
    guard count > 0, count <= 18 else { return nil }
    return value
  }

  /// Reads seconds with six decimals as microseconds.
  @inline(__always)
  private mutating func seconds() -> UInt64? {
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
  private mutating func skipString() -> Bool {
    lastStringHasEscapes = false
    while true {
      position += bytes.distanceToQuoteOrBackslash(from: position, limit: end)
      guard position < end else { return false }
      if bytes[position] == UInt8(ascii: "\"") {
        lastStringEnd = position
        position += 1
        return true
      }
      lastStringHasEscapes = true
      position += 2
    }
  }

  @inline(__always)
  private mutating func skipValue() -> Bool {
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
  private mutating func skipRest(depth: Int) -> Bool {
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

// Bytes in a register, as in "Hacker's Delight", 6-1: the high bit of the lowest byte that
// matches is set, and of no byte before it.
extension JSONBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// How far it is to the next quote or backslash, or to the limit.
  @inline(__always)
  func distanceToQuoteOrBackslash(from start: Int, limit: Int) -> Int {
    var place = start
    while place &+ 8 <= count, place < limit {
      let word = word(at: place)
      let found =
        Self.zeros(word ^ Self.ones &* 0x22) | Self.zeros(word ^ Self.ones &* 0x5C)
      if found != 0 { return place &- start &+ found.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < min(limit, count), self[place] != 0x22, self[place] != 0x5C { place &+= 1 }
    return place &- start
  }

  /// How far it is to the next quote or bracket of any kind, or to the limit.
  @inline(__always)
  func distanceToQuoteOrBracket(from start: Int, limit: Int) -> Int {
    var place = start
    while place &+ 8 <= count, place < limit {
      let word = word(at: place)
      let folded = word | Self.ones &* 0x20
      let found =
        Self.zeros(word ^ Self.ones &* 0x22) | Self.zeros(folded ^ Self.ones &* 0x7B)
        | Self.zeros(folded ^ Self.ones &* 0x7D)
      if found != 0 { return place &- start &+ found.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < min(limit, count), !Self.isQuoteOrBracket(self[place]) { place &+= 1 }
    return place &- start
  }

  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- ones) & ~word & (ones &* 0x80)
  }

  private static func isQuoteOrBracket(_ byte: UInt8) -> Bool {
    byte == 0x22 || byte | 0x20 == 0x7B || byte | 0x20 == 0x7D
  }
}
