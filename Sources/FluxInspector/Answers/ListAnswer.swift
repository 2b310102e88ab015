import FluxLog

/// The steps of a range: `{"steps":[{"n","t","type","changed","rejected"?}]}`.
///
/// They are read while they are written, one at a time.
struct ListAnswer: Answer {
  let session: Session
  let range: Range<Int>

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("steps")
    json.writer.beginArray()
    for position in range {
      try session.checkInterruption()
      json.writer.step(try StepLine(at: position, in: session.timeline))
      try json.drain()
    }
    json.writer.endArray()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    var remarks = Remarks(in: session.log, from: range.lowerBound)
    for position in range {
      try session.checkInterruption()
      for remark in remarks.take(before: position) { try text.line("  -- \(remark)", .dim) }
      text.write(position == session.position ? "> " : "  ", .heading)
      try text.step(try StepLine(at: position, in: session.timeline))
    }
    if range.upperBound == session.log.count {
      for remark in remarks.take(before: range.upperBound) { try text.line("  -- \(remark)", .dim) }
    }
    if range.isEmpty { try text.line("no steps", .dim) }
  }
}

/// What stands between the steps of a log: marks, gaps and damage.
private struct Remarks {
  /// By the position of the step after them, in order.
  private var open: ArraySlice<(position: Int, text: String)>

  init(in log: LogFile, from position: Int) {
    let marks = log.marks.map { ($0.position, "mark \($0.mark.text) +\($0.mark.time.seconds)s") }
    let gaps = log.gaps.map { ($0.position, $0.gap.sentence) }
    let damage = log.breaks.filter { $0.kind == .damage }
      .map { ($0.position, "damaged lines are left out") }
    let all = (marks + gaps + damage).filter { $0.0 >= position }
    open = all.sorted { $0.0 < $1.0 }.map { (position: $0.0, text: $0.1) }[...]
  }

  /// The remarks that stand before a step and after those that were taken.
  mutating func take(before position: Int) -> [String] {
    let taken = open.prefix { $0.position <= position }
    open = open.dropFirst(taken.count)
    return taken.map(\.text)
  }
}
