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
    guard cursor.take(Self.number) else { return nil }
    let numberStart = cursor.position
    guard let number = cursor.digits() else { return nil }
    numbers.numberDigits = cursor.position &- numberStart
    guard cursor.take(Self.time) else { return nil }
    let timeStart = cursor.position
    guard let time = cursor.seconds() else { return nil }
    numbers.secondsDigits = cursor.position &- timeStart &- 7
    guard cursor.take(Self.action), cursor.take(Self.type) else { return nil }
    let type = cursor.position
    guard cursor.skipString(), !cursor.stringHasEscapes else { return nil }
    return StepOutline(
      number: number, time: time, type: type..<cursor.stringEnd, numbers: numbers)
  }

  // {"n":
  static var number: LineWord {
    LineWord(low: 0x0000_003A_226E_227B, high: 0x0000_0000_0000_0000, count: 5)
  }

  // ,"t":
  static var time: LineWord {
    LineWord(low: 0x0000_003A_2274_222C, high: 0x0000_0000_0000_0000, count: 5)
  }

  // ,"action":
  static var action: LineWord {
    LineWord(low: 0x6E6F_6974_6361_222C, high: 0x0000_0000_0000_3A22, count: 10)
  }

  // {"type":"
  private static var type: LineWord {
    LineWord(low: 0x3A22_6570_7974_227B, high: 0x0000_0000_0000_0022, count: 9)
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
      return cursor.take(Self.patches) && readStores(.patch)
    case UInt8(ascii: "s"):
      return cursor.take(Self.states) && readStores(.whole)
    case UInt8(ascii: "c"):
      return readCause(&outline)
    case UInt8(ascii: "r"):
      return readRemovedOrRejected(&outline)
    case UInt8(ascii: "t"):
      if cursor.take(Self.took) { return cursor.digits() != nil }
      return cursor.take(Self.target) && cursor.skipString()
    case UInt8(ascii: "e"):
      return cursor.take(Self.effect) && cursor.skipString()
    case UInt8(ascii: "f"):
      return cursor.take(Self.from) && cursor.skipString()
    case UInt8(ascii: "a"):
      return cursor.take(Self.source) && cursor.skipString()
    default:
      return false
    }
  }

  @inline(__always)
  private mutating func readCause(_ outline: inout StepOutline) -> Bool {
    guard outline.cause == nil, cursor.take(Self.cause) else { return false }
    let start = cursor.position
    guard let cause = cursor.digits() else { return false }
    outline.cause = cause
    outline.numbers.causeOffset = start &- lineStart
    outline.numbers.causeDigits = cursor.position &- start
    return true
  }

  // ,"patches":{
  static var patches: LineWord {
    LineWord(low: 0x6568_6374_6170_222C, high: 0x0000_0000_7B3A_2273, count: 12)
  }

  // ,"states":{
  private static var states: LineWord {
    LineWord(low: 0x7365_7461_7473_222C, high: 0x0000_0000_007B_3A22, count: 11)
  }

  // ,"cause":
  private static var cause: LineWord {
    LineWord(low: 0x2265_7375_6163_222C, high: 0x0000_0000_0000_003A, count: 9)
  }

  // ,"took":
  private static var took: LineWord {
    LineWord(low: 0x3A22_6B6F_6F74_222C, high: 0x0000_0000_0000_0000, count: 8)
  }

  // ,"target":"
  private static var target: LineWord {
    LineWord(low: 0x7465_6772_6174_222C, high: 0x0000_0000_0022_3A22, count: 11)
  }

  // ,"effect":"
  private static var effect: LineWord {
    LineWord(low: 0x7463_6566_6665_222C, high: 0x0000_0000_0022_3A22, count: 11)
  }

  // ,"from":"
  private static var from: LineWord {
    LineWord(low: 0x3A22_6D6F_7266_222C, high: 0x0000_0000_0000_0022, count: 9)
  }

  // ,"at":"
  private static var source: LineWord {
    LineWord(low: 0x0022_3A22_7461_222C, high: 0x0000_0000_0000_0000, count: 7)
  }

  // ,"removed":[
  private static var removed: LineWord {
    LineWord(low: 0x6576_6F6D_6572_222C, high: 0x0000_0000_5B3A_2264, count: 12)
  }

  // ,"rejected":{
  private static var rejected: LineWord {
    LineWord(low: 0x7463_656A_6572_222C, high: 0x0000_007B_3A22_6465, count: 13)
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
    if cursor.take(Self.rejected) {
      guard !outline.isRejected else { return false }
      outline.isRejected = true
      return cursor.skipRest(depth: 1)
    }
    guard cursor.take(Self.removed), begins(.removal) else { return false }
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
