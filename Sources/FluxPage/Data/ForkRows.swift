import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// A row of a fork.
enum ForkRow: Sendable {
  /// The states that the fork begins with.
  case start
  /// The step after which the fork has this number of steps.
  case step(Int)
  /// The position of a recorded step that the fork left out, and the number of the fork's steps before it.
  case leftOut(Int, after: Int)

  /// The number of the fork's steps up to the row.
  var count: Int {
    switch self {
    case .start: 0
    case .step(let count), .leftOut(_, let count): count
    }
  }
}

/// The rows of a fork: its start and its steps, aligned with the recorded steps that they repeat.
struct ForkRows {
  let number: Int
  let history: ForkHistory
  private let timeline: Timeline
  let recorded: RowMap
  private var rows: [ForkRow] = [.start]
  private var rowsOfSteps = [0]

  /// Lists the rows of a fork of a session; nil if it has no such fork.
  init?(_ number: Int, of session: Session, _ recorded: RowMap) {
    guard let history = session.history(ofFork: number) else { return nil }
    (self.number, self.history, timeline) = (number, history, session.timeline)
    self.recorded = recorded
    var next = history.position + 1
    for index in history.steps.indices {
      let repeated = timeline.log.position(ofCause: history.steps[index].repeats, before: .max)
      if let repeated, repeated >= next {
        rows += (next..<repeated).map { .leftOut($0, after: index) }
        next = repeated + 1
      }
      rowsOfSteps.append(rows.count)
      rows.append(.step(index + 1))
    }
  }

  var count: Int { rows.count }

  subscript(row: Int) -> ForkRow? { rows.indices.contains(row) ? rows[row] : nil }

  /// Returns the row of the step after which the fork has a number of steps; 0 for its start.
  func row(ofStep count: Int) -> Int {
    rowsOfSteps.indices.contains(count) ? rowsOfSteps[count] : rows.count - 1
  }

  /// Returns the number of the fork's steps before a row.
  func stepCount(before row: Int) -> Int { row > 0 ? rows[min(row, rows.count) - 1].count : 0 }

  /// Returns the row of the step with a number; nil if the fork has none.
  func row(ofNumber number: UInt64) -> Int? {
    guard number >= history.first, number - history.first < UInt64(history.steps.count) else {
      return nil
    }
    return row(ofStep: Int(number - history.first) + 1)
  }

  // MARK: Writing

  /// Returns a row for lists.
  func listed(_ number: Int) throws -> Answer? {
    guard let row = self[number] else { return nil }
    switch row {
    case .start:
      let base = timeline.stepNumber(at: history.position)
      return Answer(row: number, "start") { members in
        try members.set("n", base)
        try members.set("fork", self.number)
        try members.set("recordedRow", recorded.row(ofStep: history.position))
      }
    case .leftOut(let position, _):
      let summary = try StepSummary(at: position, in: timeline)
      return Answer(row: number, "left") { members in
        try members.set("repeats", summary.number)
        try members.set("recordedRow", recorded.row(ofStep: position))
        try members.set("type", summary.type)
        try members.set("payload", ifPresent: summary.payload?.excerpt(200))
        try members.set("text", "step \(summary.number) \(summary.type) is left out")
      }
    case .step(let count):
      let step = history.steps[count - 1]
      return Answer(row: number, "step") { members in
        try setSummary(of: step, &members)
        try members.set("payload", ifPresent: step.action.actionContent?.excerpt(200))
        try members.set("depth", depth(count - 1))
      }
    }
  }

  /// Writes what lists and the heading show of a step.
  func setSummary(of step: ForkStep, _ members: inout AnswerMembers) throws {
    let repeated = timeline.log.position(ofCause: step.repeats, before: .max)
    try members.set("fork", number)
    try members.set("n", step.number)
    try members.set("t", Seconds(step.time))
    try members.set("type", step.type)
    try members.set("changed", step.changed)
    try members.set("rejected", ifPresent: step.rejection)
    try members.set("cause", ifPresent: step.cause)
    try members.set("causeRow", ifPresent: step.cause.flatMap(row(ofNumber:)))
    try members.set("effect", ifPresent: step.effect)
    try members.set("repeats", ifPresent: step.repeats)
    try members.set("recordedRow", ifPresent: repeated.map { recorded.row(ofStep: $0) })
    try members.set("orphan", ifTrue: step.isOrphan)
  }

  /// Returns the number of steps of the fork above the one at an index in its chain of causes.
  private func depth(_ index: Int) -> Int {
    var (depth, here) = (0, index)
    while depth < PageRows.deepest, let cause = history.steps[here].cause, cause >= history.first,
      cause - history.first < UInt64(here)
    {
      (depth, here) = (depth + 1, Int(cause - history.first))
    }
    return depth
  }
}
