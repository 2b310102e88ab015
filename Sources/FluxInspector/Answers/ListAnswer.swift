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
    for position in range {
      try session.checkInterruption()
      try writeRemarks(before: position, to: &text)
      text.write(position == session.position ? "> " : "  ", .heading)
      try text.step(try StepLine(at: position, in: session.timeline))
    }
    if range.upperBound == session.log.count {
      try writeRemarks(before: range.upperBound, to: &text)
      for sentence in session.inFlight { try text.line("  -- \(sentence)", .dim) }
    }
    if range.isEmpty { try text.line("no steps", .dim) }
  }

  /// What stands between a step and the one before it.
  private func writeRemarks(before position: Int, to text: inout TextOutput) throws {
    if session.isDamaged(before: position) {
      try text.line("  -- damaged lines are left out", .dim)
    }
    for gap in session.gaps(before: position) { try text.line("  -- \(gap.sentence)", .dim) }
    for mark in session.marks(before: position) {
      try text.line("  -- mark \(mark.text) +\(mark.time.seconds)s", .dim)
    }
  }
}
