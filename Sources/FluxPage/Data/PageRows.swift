import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// The rows that a request is about, those of the recording or of a fork, as the page lists them.
struct PageRows {
  /// The largest number of causes that count for the indentation.
  static let deepest = 16

  private let timeline: Timeline
  let recorded: RowMap
  /// The rows of the fork that the request is about; nil if it is about the recording.
  let fork: ForkRows?
  /// The numbers of causes above steps that were asked for before.
  private var depths: [Int: Int] = [:]

  init(_ timeline: Timeline, _ recorded: RowMap, _ fork: ForkRows? = nil) {
    (self.timeline, self.recorded, self.fork) = (timeline, recorded, fork)
  }

  private var log: LogFile { timeline.log }

  var count: Int { fork?.count ?? recorded.count }

  var stepCount: Int { fork?.history.steps.count ?? recorded.stepCount }

  func stepCount(before row: Int) -> Int {
    fork?.stepCount(before: row) ?? recorded.stepCount(before: row)
  }

  func row(ofStep index: Int) -> Int {
    fork?.row(ofStep: index + 1) ?? recorded.row(ofStep: index)
  }

  /// Returns the time of the step at an index; nil if there is none, or if its line cannot be read.
  func time(ofStep index: Int) throws -> LogTime? {
    guard let steps = fork?.history.steps else { return try timeline.time(at: index) }
    return steps.indices.contains(index) ? steps[index].time : nil
  }

  // MARK: Writing

  /// Returns a row for lists; nil if there is none of that number.
  mutating func listed(_ number: Int) throws -> Answer? {
    if let fork { return try fork.listed(number) }
    return try recorded[number].map { try listed(number, $0) }
  }

  /// Returns a row of the recording for lists.
  mutating func listed(_ number: Int, _ row: LogRow) throws -> Answer {
    let before = timeline.stepNumber(at: row.position)
    switch row {
    case .start: return Answer(row: number, "start") { try $0.set("n", before) }
    case .step(let position): return try step(number, position)
    case .gap(let gap, _):
      let entry = GapEntry(gap)
      return Answer(row: number, "gap") { members in
        try members.set("from", entry.from)
        try members.set("to", entry.to)
        try members.set("why", entry.why)
        try members.set("step", ifPresent: entry.step)
        try members.set("after", before)
        try members.set("text", entry.sentence)
      }
    case .mark(let mark, _):
      return Answer(row: number, "mark") { members in
        try members.set("t", Seconds(mark.time))
        try members.set("after", before)
        try members.set("text", mark.text)
      }
    case .damage(let lines, _): return damage(number, lines, after: before)
    case .inFlight(let action, let next): return inFlight(number, action, next)
    }
  }

  private func inFlight(_ number: Int, _ action: InFlightAction, _ next: Int) -> Answer {
    let causeRow = row(ofCause: action.origin.cause, before: next)
    return Answer(row: number, "inflight") { members in
      try members.set("n", action.number)
      try members.set("t", Seconds(action.time))
      try members.set("type", ifPresent: action.type)
      try members.set("payload", ifPresent: action.action?.actionContent?.excerpt(2000))
      try members.set("cause", ifPresent: action.origin.cause)
      try members.set("causeRow", ifPresent: causeRow)
      try members.set("effect", ifPresent: action.origin.effect)
      try members.set("committed", action.isCommitted)
      try members.set("text", InFlightStep(action).sentence)
    }
  }

  private func damage(
    _ number: Int, _ lines: ClosedRange<Int>, step: UInt64? = nil, after: StepNumber? = nil
  ) -> Answer {
    Answer(row: number, "damage") { members in
      try members.set("n", ifPresent: step)
      try members.set("lines", [lines.lowerBound, lines.upperBound])
      try members.set("after", ifPresent: after)
      try members.set("text", RowMap.sentence(forDamage: lines))
    }
  }

  private mutating func step(_ number: Int, _ position: Int) throws -> Answer {
    let summary: StepSummary
    do throws(LogError) {
      summary = try StepSummary(at: position, in: timeline)
    } catch {
      guard error.isDamage else { throw error }
      // The line changed after it was indexed.
      let line = log.lineNumber(at: position) ?? 0
      return damage(number, line...line, step: log.number(at: position))
    }
    let depth = try depth(at: position)
    let causeRow = row(ofCause: summary.cause, before: position)
    let effect = summary.cause == nil ? nil : try timeline.step(at: position).effect
    return Answer(row: number, "step") { members in
      try members.set("n", summary.number)
      try members.set("t", summary.t)
      try members.set("type", summary.type)
      try members.set("payload", ifPresent: summary.payload?.excerpt(200))
      try members.set("changed", summary.changed)
      try members.set("unwritten", ifPresent: summary.unwritten)
      try members.set("notRecorded", ifPresent: summary.notRecorded)
      try members.set("rejected", ifPresent: summary.rejected)
      try members.set("cause", ifPresent: summary.cause)
      try members.set("causeRow", ifPresent: causeRow)
      try members.set("depth", depth)
      try members.set("effect", ifPresent: effect)
    }
  }

  /// Returns the row of the step that caused the step at a position; nil if the log does not have it.
  func row(ofCause cause: UInt64?, before position: Int) -> Int? {
    log.position(ofCause: cause, before: position).map { recorded.row(ofStep: $0) }
  }

  /// Returns the number of causes above the step at a position.
  private mutating func depth(at position: Int) throws -> Int {
    var chain: [Int] = []
    var here: Int? = position
    var depth = -1
    while let position = here, chain.count <= Self.deepest {
      if let known = depths[position] {
        depth = known
        break
      }
      chain.append(position)
      guard log.shape(at: position)?.hasCause == true else { break }
      here = log.position(ofCause: try timeline.step(at: position).cause, before: position)
    }
    for position in chain.reversed() {
      depth = min(depth + 1, Self.deepest)
      depths[position] = depth
    }
    return max(0, depth)
  }
}

extension PageLog {
  /// Returns the rows that a request is about.
  ///
  /// - Throws: ``PageError`` if it is about a fork that the client's console does not have.
  func rows(of request: PageRequest) throws(PageError) -> PageRows {
    let recorded = rows()
    guard let number = try request.integer("fork") else { return PageRows(timeline, recorded) }
    guard let fork = request.console.flatMap({ ForkRows(number, of: $0, recorded) }) else {
      throw PageError(.notFound, "there is no fork \(number)")
    }
    return PageRows(timeline, recorded, fork)
  }
}

extension Timeline {
  /// Returns the time of the step at a position; nil if there is none, or if its line cannot be read.
  func time(at position: Int) throws -> LogTime? {
    guard position >= 0 else { return nil }
    do throws(LogError) {
      return try log.step(at: position).time
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }
}

extension LogError {
  /// `true` if a line cannot be used, while others can.
  var isDamage: Bool { if case .damaged = reason { true } else { false } }
}
