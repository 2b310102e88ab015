import FluxJSON

/// The parts of a step line that the index needs.
struct StepOutline {
  var number: UInt64
  /// In microseconds.
  var time: UInt64
  /// The range of the action's type in the bytes, between its quotes.
  var type: Range<Int>
  var cause: UInt64?
  /// The range of the source line in the bytes, between its quotes.
  var source: Range<Int>?
  var isRejected = false
  var numbers: LineNumbers
}

/// A store that a step writes, and how.
struct OutlinedWrite {
  /// The range of the store's name in the bytes, between its quotes.
  var name: Range<Int>
  var kind: WriteKind
  /// The range of the state or the patch; empty for a removal and for an unwritten state.
  var value: Range<Int>
}

/// The places of the numbers in a step line as writers write it.
///
/// See docs/log-format.md, "Steps": `{"n":`, the number, `,"t":`, seconds with six decimals.
struct LineNumbers: Equatable {
  var numberDigits = 0
  /// The number of digits of `t` before the decimal point.
  var secondsDigits = 0
  /// The offset of the digits of `cause` from the first byte of the line.
  var causeOffset = 0
  /// The number of those digits; 0 if there is no cause.
  var causeDigits = 0

  /// The number of bytes before `n` and before `t`.
  private static let nameCount = 5

  @inline(__always)
  func number(_ bytes: JSONBytes, _ start: Int) -> UInt64 {
    bytes.number(at: start &+ Self.nameCount, digits: numberDigits)
  }

  @inline(__always)
  func time(_ bytes: JSONBytes, _ start: Int) -> UInt64 {
    let offset = start &+ 2 &* Self.nameCount &+ numberDigits
    let seconds = bytes.number(at: offset, digits: secondsDigits)
    return seconds &* 1_000_000
      &+ bytes.number(at: offset &+ secondsDigits &+ 1, digits: 6)
  }

  @inline(__always)
  func cause(_ bytes: JSONBytes, _ start: Int) -> UInt64 {
    bytes.number(at: start &+ causeOffset, digits: causeDigits)
  }
}

/// Reads the outline of step lines without parsing them.
///
/// Only for lines with a correct sum. Such a line is what a writer wrote, so it is valid JSON and
/// its values need no validation. Returns `nil` for a line that is not laid out as writers do it;
/// such a line has to be parsed. Parsing a line of 110 bytes took 19,500 instructions; with this
/// reader and ``LineTemplates``, a small step takes 690 on average.
struct OutlineReader {
  private var cursor = LineCursor()
  private var lineStart = 0
  /// The stores that the last line writes.
  private(set) var writes: [OutlinedWrite] = []
  /// The lowest kind of write that may follow: each kind occurs once in a line, in this order.
  private var nextKind: UInt8 = 0
  private var hasEffects = false

  /// Reads the line from `start` up to the comma of its sum.
  mutating func outline(_ bytes: JSONBytes, from start: Int, to end: Int) -> StepOutline? {
    cursor.begin(bytes, from: start, to: end)
    lineStart = start
    writes.removeAll(keepingCapacity: true)
    nextKind = 0
    hasEffects = false
    guard var outline = readOpening(), cursor.skipRest() else { return nil }
    while cursor.position < cursor.end {
      guard readMember(&outline) else { return nil }
    }
    guard cursor.position == cursor.end,
      !(outline.isRejected && (!writes.isEmpty || hasEffects))
    else { return nil }
    return outline
  }

  /// Reads the start of the line, up to the end of the action's type.
  @inline(__always)
  private mutating func readOpening() -> StepOutline? {
    var numbers = LineNumbers()
    guard cursor.take(#"{"n":"#) else { return nil }
    let numberStart = cursor.position
    guard let number = cursor.digits() else { return nil }
    numbers.numberDigits = cursor.position &- numberStart
    guard cursor.take(#","t":"#) else { return nil }
    let timeStart = cursor.position
    guard let time = cursor.seconds() else { return nil }
    numbers.secondsDigits = cursor.position &- timeStart &- 7
    guard cursor.take(#","action":{"type":""#) else { return nil }
    let type = cursor.position
    guard cursor.skipString(), !cursor.stringHasEscapes else { return nil }
    return StepOutline(
      number: number, time: time, type: type..<cursor.stringEnd, numbers: numbers)
  }

  // MARK: Members

  /// Reads a member after the action; the first byte of its name distinguishes most members.
  @inline(__always)
  private mutating func readMember(_ outline: inout StepOutline) -> Bool {
    guard cursor.position &+ 4 < cursor.end else { return false }
    switch cursor.bytes[cursor.position &+ 2] {
    case UInt8(ascii: "p"):
      return cursor.take(#","patches":{"#) && readStores(.patch)
    case UInt8(ascii: "s"):
      return cursor.take(#","states":{"#) && readStores(.whole)
    case UInt8(ascii: "c"):
      return readCause(&outline)
    case UInt8(ascii: "r"):
      return readRemovedOrRejected(&outline)
    case UInt8(ascii: "t"):
      if cursor.take(#","took":"#) { return cursor.digits() != nil }
      return cursor.take(#","target":""#) && cursor.skipString()
    case UInt8(ascii: "e"):
      if cursor.take(#","effect":""#) { return cursor.skipString() }
      hasEffects = true
      return cursor.take(#","effects":{"#) && cursor.skipRest()
    case UInt8(ascii: "f"):
      return cursor.take(#","from":""#) && cursor.skipString()
    case UInt8(ascii: "a"):
      return readSource(&outline)
    case UInt8(ascii: "u"):
      return cursor.take(#","unwritten":["#) && readNames(.unwritten)
    default:
      return false
    }
  }

  @inline(__always)
  private mutating func readCause(_ outline: inout StepOutline) -> Bool {
    guard outline.cause == nil, cursor.take(#","cause":"#) else { return false }
    let start = cursor.position
    guard let cause = cursor.digits() else { return false }
    outline.cause = cause
    outline.numbers.causeOffset = start &- lineStart
    outline.numbers.causeDigits = cursor.position &- start
    return true
  }

  @inline(__always)
  private mutating func readSource(_ outline: inout StepOutline) -> Bool {
    guard outline.source == nil, cursor.take(#","at":""#) else { return false }
    let start = cursor.position
    guard cursor.skipString(), !cursor.stringHasEscapes else { return false }
    outline.source = start..<cursor.stringEnd
    return true
  }

  /// Reads the members of `states` or `patches`, from after the brace.
  @inline(__always)
  private mutating func readStores(_ kind: WriteKind) -> Bool {
    guard begins(kind) else { return false }
    while let name = readName(), cursor.take(":") {
      let start = cursor.position
      guard cursor.skipValue(), cursor.position < cursor.end,
        kind != .patch || cursor.bytes[start] == UInt8(ascii: "[")
      else { return false }
      writes.append(OutlinedWrite(name: name, kind: kind, value: start..<cursor.position))
      if cursor.take("}") { return true }
      guard cursor.take(",") else { return false }
    }
    return false
  }

  @inline(never)
  private mutating func readRemovedOrRejected(_ outline: inout StepOutline) -> Bool {
    if cursor.take(#","rejected":{"#) {
      guard !outline.isRejected else { return false }
      outline.isRejected = true
      return cursor.skipRest()
    }
    if cursor.take(#","reflected":true"#) { return true }
    return cursor.take(#","removed":["#) && readNames(.removal)
  }

  /// Reads the stores of `removed` or `unwritten`, from after the bracket.
  private mutating func readNames(_ kind: WriteKind) -> Bool {
    guard begins(kind) else { return false }
    while let name = readName() {
      writes.append(OutlinedWrite(name: name, kind: kind, value: cursor.position..<cursor.position))
      if cursor.take("]") { return true }
      guard cursor.take(",") else { return false }
    }
    return false
  }

  /// Reads a store's name; `nil` if it has escapes.
  ///
  /// With escapes, a name has several spellings, and only the parser can compare them.
  @inline(__always)
  private mutating func readName() -> Range<Int>? {
    guard cursor.take("\"") else { return nil }
    let start = cursor.position
    return cursor.skipString() && !cursor.stringHasEscapes ? start..<cursor.stringEnd : nil
  }

  @inline(__always)
  private mutating func begins(_ kind: WriteKind) -> Bool {
    guard kind.rawValue >= nextKind else { return false }
    nextKind = kind.rawValue + 1
    return true
  }
}
