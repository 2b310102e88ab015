/// Reads the outline of step lines without parsing them.
///
/// Only for lines whose sum is right: such a line is what a writer wrote, so it is JSON, and its
/// values need not be looked into. Whatever stands otherwise than writers put it gives nil, and
/// the line is parsed instead.
struct OutlineReader {
  private var cursor = LineCursor()
  private var lineStart = 0
  /// The first store that the line read last writes.
  ///
  /// Nearly always the only one, and so kept apart from the others: an array of all costs a retain
  /// and a release for each line, a twelfth of the time that an index takes.
  private(set) var firstWrite: OutlinedWrite?
  /// The other stores that it writes.
  private(set) var otherWrites: [OutlinedWrite] = []
  /// The lowest kind of write that may come next: each kind stands once in a line, in this order.
  private var nextKind: UInt8 = 0

  /// All stores that the line read last writes.
  var writes: [OutlinedWrite] { (firstWrite.map { [$0] } ?? []) + otherWrites }

  /// Reads the line from `start` to before the comma of its sum.
  mutating func outline(_ bytes: JSONBytes, from start: Int, to end: Int) -> StepOutline? {
    cursor.begin(bytes, from: start, to: end)
    lineStart = start
    firstWrite = nil
    if !otherWrites.isEmpty { otherWrites.removeAll(keepingCapacity: true) }
    nextKind = 0
    guard var outline = readOpening(), cursor.skipRest(depth: 1) else { return nil }
    while cursor.position < cursor.end {
      guard readMember(&outline) else { return nil }
    }
    guard cursor.position == cursor.end, !(outline.isRejected && firstWrite != nil) else {
      return nil
    }
    return outline
  }

  /// Reads what the line begins with, up to the end of the action's type.
  @inline(__always)
  private mutating func readOpening() -> StepOutline? {
    var numbers = LineNumbers()
    guard cursor.take(.number) else { return nil }
    let numberStart = cursor.position
    guard let number = cursor.digits() else { return nil }
    numbers.numberDigits = cursor.position &- numberStart
    guard cursor.take(.time) else { return nil }
    let timeStart = cursor.position
    guard let time = cursor.seconds() else { return nil }
    numbers.secondsDigits = cursor.position &- timeStart &- 7
    guard cursor.take(.action), cursor.take(.type) else { return nil }
    let type = cursor.position
    guard cursor.skipString(), !cursor.stringHasEscapes else { return nil }
    return StepOutline(
      number: number, time: time, type: type..<cursor.stringEnd, numbers: numbers)
  }

  // MARK: Members

  /// Reads one member after the action; the first byte of its name tells most of them apart.
  @inline(__always)
  private mutating func readMember(_ outline: inout StepOutline) -> Bool {
    guard cursor.position &+ 4 < cursor.end, cursor.bytes[cursor.position] == UInt8(ascii: ","),
      cursor.bytes[cursor.position &+ 1] == UInt8(ascii: "\"")
    else { return false }
    switch cursor.bytes[cursor.position &+ 2] {
    case UInt8(ascii: "p"):
      return cursor.take(.patches) && readStores(.patch)
    case UInt8(ascii: "s"):
      return cursor.take(.states) && readStores(.whole)
    case UInt8(ascii: "c"):
      return readCause(&outline)
    case UInt8(ascii: "r"):
      return readRemovedOrRejected(&outline)
    case UInt8(ascii: "t"):
      if cursor.take(.took) { return cursor.digits() != nil }
      return cursor.take(.target) && cursor.skipString()
    case UInt8(ascii: "e"):
      return cursor.take(.effect) && cursor.skipString()
    case UInt8(ascii: "f"):
      return cursor.take(.from) && cursor.skipString()
    case UInt8(ascii: "a"):
      return cursor.take(.source) && cursor.skipString()
    default:
      return false
    }
  }

  @inline(__always)
  private mutating func readCause(_ outline: inout StepOutline) -> Bool {
    guard outline.cause == nil, cursor.take(.cause) else { return false }
    let start = cursor.position
    guard let cause = cursor.digits() else { return false }
    outline.cause = cause
    outline.numbers.causeOffset = start &- lineStart
    outline.numbers.causeDigits = cursor.position &- start
    return true
  }

  /// Reads the members of `states` or `patches`, from after the brace on.
  @inline(__always)
  private mutating func readStores(_ kind: WriteKind) -> Bool {
    guard begins(kind) else { return false }
    while cursor.position < cursor.end {
      guard cursor.bytes[cursor.position] == UInt8(ascii: "\"") else { return false }
      cursor.position &+= 1
      guard readName(kind), cursor.position &+ 1 < cursor.end,
        cursor.bytes[cursor.position] == UInt8(ascii: ":")
      else {
        return false
      }
      cursor.position &+= 1
      if kind == .patch, cursor.bytes[cursor.position] != UInt8(ascii: "[") { return false }
      guard cursor.skipValue(), cursor.position < cursor.end else { return false }
      cursor.position &+= 1
      if cursor.bytes[cursor.position &- 1] == UInt8(ascii: "}") { return true }
      guard cursor.bytes[cursor.position &- 1] == UInt8(ascii: ",") else { return false }
    }
    return false
  }

  @inline(never)
  private mutating func readRemovedOrRejected(_ outline: inout StepOutline) -> Bool {
    if cursor.take(.rejected) {
      guard !outline.isRejected else { return false }
      outline.isRejected = true
      return cursor.skipRest(depth: 1)
    }
    guard cursor.take(.removed), begins(.removal) else { return false }
    while cursor.position < cursor.end {
      guard cursor.bytes[cursor.position] == UInt8(ascii: "\"") else { return false }
      cursor.position &+= 1
      guard readName(.removal), cursor.position < cursor.end else { return false }
      cursor.position &+= 1
      if cursor.bytes[cursor.position &- 1] == UInt8(ascii: "]") { return true }
      guard cursor.bytes[cursor.position &- 1] == UInt8(ascii: ",") else { return false }
    }
    return false
  }

  /// Reads a store's name, from after its first quote to after its last.
  @inline(__always)
  private mutating func readName(_ kind: WriteKind) -> Bool {
    let start = cursor.position
    // The same name can be written in two ways, and only the parser knows.
    guard cursor.skipString(), !cursor.stringHasEscapes else { return false }
    let write = OutlinedWrite(name: start..<cursor.stringEnd, kind: kind)
    if firstWrite == nil { firstWrite = write } else { otherWrites.append(write) }
    return true
  }

  /// Whether writes of this kind may stand here.
  @inline(__always)
  private mutating func begins(_ kind: WriteKind) -> Bool {
    guard kind.rawValue >= nextKind else { return false }
    nextKind = kind.rawValue + 1
    return true
  }
}
