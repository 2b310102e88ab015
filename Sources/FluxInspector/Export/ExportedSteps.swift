import FluxLog

/// The steps of a recording that are exported.
struct ExportedSteps {
  let timeline: Timeline
  /// The positions of the steps.
  let positions: Range<Int>
  /// The position that the session is at.
  let here: Int
  /// Told before each step how many are done, and of how many; what it throws ends the export.
  let report: (_ done: Int, _ total: Int) throws -> Void

  /// Gives one step after the other.
  func forEach(_ body: (_ position: Int, LogStep) throws -> Void) throws {
    for position in positions {
      try report(position - positions.lowerBound, positions.count)
      try body(position, try timeline.step(at: position))
    }
  }

  /// When the recording began; 1970 where it does not say.
  var created: LogInstant { timeline.log.header.created ?? LogInstant(microseconds: 0) }

  /// The moment at which a step was dispatched, or the last there is.
  func instant(of step: LogStep) -> LogInstant {
    let (sum, isTooLate) = created.microseconds.addingReportingOverflow(
      Int64(clamping: step.time.microseconds))
    return LogInstant(microseconds: isTooLate ? .max : sum)
  }
}
