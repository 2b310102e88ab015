import FluxJSON
package import FluxLog

/// A row in the list of a log's steps.
package enum LogRow: Sendable {
  /// The state before the first step.
  case start
  /// The step at a position.
  case step(Int)
  /// A gap, and the position of the step after it.
  case gap(LogGap, before: Int)
  /// A mark, and the position of the step after it.
  case mark(LogMark, before: Int)
  /// Damaged lines, and the position of the step after them.
  case damage(ClosedRange<Int>, before: Int)
  /// An action that was in flight when the app ended, and the position after the last step.
  case inFlight(InFlightAction, before: Int)

  /// The position whose states are those of the row.
  package var position: Int {
    switch self {
    case .start: Timeline.start
    case .step(let position): position
    case .gap(_, let next), .mark(_, let next), .damage(_, let next), .inFlight(_, let next):
      next - 1
    }
  }
}

/// The rows of a list of steps: the start, then each step, gap, damage and mark in the order of the file, and the actions in
/// flight.
///
/// While the log grows, rows are added at the end alone. Only a torn last line takes rows back, and a step that was in flight.
package struct RowMap: Sendable {
  private enum Kind { case gap(Int), mark(Int), damage(ClosedRange<Int>) }

  /// A row that is no step.
  private struct Extra {
    /// The position of the step after it.
    let position: Int
    let line: Int
    let kind: Kind
  }

  private var extras: [Extra] = []
  private var gaps: [RecordedGap] = []
  private var marks: [RecordedMark] = []
  private var gapCount = 0
  private var markCount = 0
  private var breakCount = 0
  package private(set) var stepCount = 0

  /// Creates the rows of a log without steps; ``update(_:)`` adds the others.
  package init() {}

  /// The actions in flight behind the last step, if the recorder is gone.
  package private(set) var inFlight: [InFlightAction] = []
  /// The number of steps before the actions in flight; nil if they were not looked for.
  private var inFlightBegin: Int?

  /// The number of rows.
  package var count: Int { writtenCount + inFlight.count }
  /// The number of rows that stand in the file.
  private var writtenCount: Int { 1 + stepCount + extras.count }
  /// The first row of an action in flight; nil if there is none.
  package var firstInFlight: Int? { inFlight.isEmpty ? nil : writtenCount }
  /// The row of the action that was running when the app ended; nil if there is none.
  package var unfinished: Int? {
    inFlight.lastIndex { !$0.isCommitted && !$0.isDropped }.map { writtenCount + $0 }
  }

  // MARK: Growing

  /// Adds the rows of what was indexed since; returns the first row that changed if some were taken back.
  ///
  /// The actions in flight of a running app are about to be steps, and are no rows. Those of a recording that failed are rows
  /// also if its log was closed.
  package mutating func update(_ log: LogFile, isLive: Bool) -> Int? {
    let (end, actions) = (writtenCount, inFlight.map(\.number))
    let row = update(log)
    if isLive || !log.isIndexComplete {
      (inFlight, inFlightBegin) = ([], nil)
    } else if inFlightBegin != stepCount {
      inFlightBegin = stepCount
      do throws(LogError) {
        inFlight = try log.inFlight()
      } catch {
        // The warnings of the log say why they cannot be read.
        inFlight = []
      }
    }
    guard !actions.isEmpty, actions != inFlight.map(\.number) || end != writtenCount else {
      return row
    }
    return min(row ?? end, end)
  }

  private mutating func update(_ log: LogFile) -> Int? {
    // The number of steps comes first: what is read after it is complete up to there.
    let count = log.count
    let (gaps, marks, breaks) = (log.gaps, log.marks, log.breaks)
    guard
      count < stepCount || gaps.count < gapCount || marks.count < markCount
        || breaks.count < breakCount
    else {
      append(count, gaps, marks, breaks, log)
      return nil
    }
    let before = writtenCount
    self = RowMap()
    append(count, gaps, marks, breaks, log)
    return max(0, min(before, writtenCount) - 1)
  }

  private mutating func append(
    _ count: Int, _ gaps: [RecordedGap], _ marks: [RecordedMark], _ breaks: [LogBreak],
    _ log: LogFile
  ) {
    var added: [Extra] = []
    while gapCount < gaps.count, gaps[gapCount].position <= count {
      let gap = gaps[gapCount]
      added.append(Extra(position: gap.position, line: gap.line, kind: .gap(gapCount)))
      gapCount += 1
    }
    while markCount < marks.count, marks[markCount].position <= count {
      let mark = marks[markCount]
      added.append(Extra(position: mark.position, line: mark.line, kind: .mark(markCount)))
      markCount += 1
    }
    let lines = Set(added.map(\.line))
    while breakCount < breaks.count, breaks[breakCount].position <= count {
      let found = breaks[breakCount]
      breakCount += 1
      let damaged = log.damagedLines(before: found.position)
      // A repair leaves a gap where damage was, which has a row of its own.
      guard let damaged, !lines.contains(damaged.lowerBound) else { continue }
      added.append(
        Extra(position: found.position, line: damaged.lowerBound, kind: .damage(damaged)))
    }
    (self.gaps, self.marks, stepCount) = (gaps, marks, count)
    guard !added.isEmpty else { return }
    extras += added.sorted { ($0.position, $0.line) < ($1.position, $1.line) }
  }

  /// Returns damaged lines as a sentence: `lines 40 to 52 are damaged`.
  package static func sentence(forDamage lines: ClosedRange<Int>) -> String {
    if lines.count == 1 { return "line \(lines.lowerBound) is damaged" }
    // Damage at the end of a log has no last line.
    guard lines.upperBound < .max else { return "damaged from line \(lines.lowerBound) on" }
    return "lines \(lines.lowerBound) to \(lines.upperBound) are damaged"
  }

  // MARK: Rows and positions

  /// Returns the row of the step at a position; 0 for the start.
  package func row(ofStep position: Int) -> Int {
    guard position >= 0 else { return 0 }
    return 1 + position + extras.partitioningIndex { $0.position > position }
  }

  /// Returns a row; nil if there is no such row.
  package subscript(_ row: Int) -> LogRow? {
    guard row > 0, row < writtenCount else {
      guard row >= writtenCount, row < count else { return row == 0 ? .start : nil }
      return .inFlight(inFlight[row - writtenCount], before: stepCount)
    }
    let place = extraCount(before: row)
    guard place < extras.count, extras[place].position + place + 1 == row else {
      return .step(row - 1 - place)
    }
    let extra = extras[place]
    switch extra.kind {
    case .gap(let index): return .gap(gaps[index].gap, before: extra.position)
    case .mark(let index): return .mark(marks[index].mark, before: extra.position)
    case .damage(let lines): return .damage(lines, before: extra.position)
    }
  }

  /// Returns the number of steps before a row, which needs not exist.
  package func stepCount(before row: Int) -> Int {
    let row = max(0, min(row, count))
    return max(0, min(stepCount, row - 1 - extraCount(before: row)))
  }

  /// Returns the rows in a range that are no steps.
  package func extraRows(in range: Range<Int>) -> [Int] {
    (extraCount(before: range.lowerBound)..<extraCount(before: range.upperBound))
      .map { extras[$0].position + $0 + 1 } + range.clamped(to: writtenCount..<count)
  }

  /// Returns the number of rows before a row that are no steps.
  private func extraCount(before row: Int) -> Int {
    extras.indices.partitioningIndex { extras[$0].position + $0 + 1 >= row }
  }
}
