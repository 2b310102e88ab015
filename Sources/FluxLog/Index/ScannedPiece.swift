/// The result of scanning a piece of a log: the index of its steps, and its other lines.
struct ScannedPiece: Sendable {
  var block: IndexBlock
  var events: [ScanEvent] = []
  /// The number of lines that start in the piece, including blank ones.
  var lineCount = 0
  /// The sums of those lines, of which the first is 0.
  var sums = LineSums()
}

/// The number of lines with and without a sum.
struct LineSums: Sendable, Equatable {
  /// `true` if a line has a sum.
  var hasSum = false
  /// The number of readable lines without a sum.
  var missing = 0
  /// The first of them.
  var firstMissing: Int?

  /// Adds a readable line without a sum.
  mutating func addMissing(line: Int) {
    missing += 1
    if firstMissing == nil { firstMissing = line }
  }

  /// Adds later lines, of which the first has this number.
  mutating func add(_ later: LineSums, from line: Int) {
    hasSum = hasSum || later.hasSum
    missing += later.missing
    if firstMissing == nil { firstMissing = later.firstMissing.map { line + $0 } }
  }
}

/// A run of steps, or a line that is not a step.
struct ScanEvent: Sendable {
  enum Content: Sendable {
    case steps(StepRun)
    case mark(LogMark)
    case gap(LogGap)
    case end(LogEnd)
    case header
    case unknown
    /// An unusable line, and its likely kind.
    case lost(LineFault, LostLine)
    /// A problem of a line that stays usable.
    case remark(LineFault, step: UInt64?)
  }

  var line: Int
  var content: Content
}

/// A run of step lines with consecutive numbers and non-decreasing times.
struct StepRun: Sendable {
  var number: UInt64
  var count: Int
  var firstTime: UInt64
  var lastTime: UInt64

  /// Adds a step to the run; returns `false` if it does not continue the run.
  @inline(__always)
  mutating func continues(with number: UInt64, at time: UInt64) -> Bool {
    guard number == self.number &+ UInt64(truncatingIfNeeded: count), time >= lastTime else {
      return false
    }
    count += 1
    lastTime = time
    return true
  }
}

/// The likely kind of a line that cannot be read, by its first bytes.
enum LostLine: Sendable {
  /// A step, or a line that looks like no other kind.
  case step
  case gap
  /// A mark, an end line or a header.
  case other

  init(_ content: UnsafeRawBufferPointer) {
    // One of these bytes may be damaged.
    let gap = #"{"gap":"#.utf8
    let isGap = unsafe zip(content, gap).count { $0 == $1 } >= gap.count - 1
    let isOther = [#"{"mark""#, #"{"end""#, #"{"flux""#].contains {
      unsafe content.starts(with: $0.utf8)
    }
    self = isGap ? .gap : isOther ? .other : .step
  }
}
