/// What was found in one stretch of a log: the outlines of its steps, and its other lines.
struct ScannedPiece: Sendable {
  var block: IndexBlock
  var events: [ScanEvent] = []
  /// Lines that begin in the stretch, blank ones included.
  var lineCount = 0
}

/// Steps in a row, or one line that is something else.
struct ScanEvent: Sendable {
  enum Content: Sendable {
    case steps(StepRun)
    case mark(LogMark)
    case gap(LogGap)
    case end(LogEnd)
    case header
    case unknown
    /// A line that is of no use, and what it may have been.
    case lost(LineFault, LostLine)
    /// Something about a line that is used all the same.
    case remark(LineFault, step: UInt64?)
  }

  /// The line from the beginning of the stretch, counted from 0.
  var line: Int
  var content: Content
}

/// Step lines that follow each other, their numbers consecutive, their times not decreasing.
struct StepRun: Sendable {
  var number: UInt64
  var count: Int
  var firstTime: UInt64
  var lastTime: UInt64
}

extension StepRun {
  /// Takes the step in where it follows those before it.
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
