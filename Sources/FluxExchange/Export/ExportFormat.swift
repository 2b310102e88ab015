package import FluxJSON
package import FluxLog

/// A form of a recording for other tools.
package struct ExportFormat: Sendable {
  package let name: String
  /// The paragraph about it in the help of `export`.
  package let help: String
  /// Writes steps piece by piece, so only one step and its states are held at a time; returns remarks on the file.
  package let write: @Sendable (ExportedSteps, inout ByteSink) throws -> [String]

  package static let all = [redux, actions, csv, trace]
}

/// The steps of a recording to export.
package struct ExportedSteps {
  let timeline: Timeline
  let positions: Range<Int>
  let here: Int
  /// Receives the progress before each step; its errors end the export.
  let report: (_ done: Int, _ total: Int) throws -> Void

  package init(
    timeline: Timeline, positions: Range<Int>, here: Int,
    report: @escaping (_ done: Int, _ total: Int) throws -> Void
  ) {
    (self.timeline, self.positions, self.here) = (timeline, positions, here)
    self.report = report
  }

  func forEach(_ body: (_ position: Int, LogStep) throws -> Void) throws {
    for position in positions {
      try report(position - positions.lowerBound, positions.count)
      try body(position, try timeline.step(at: position))
    }
  }

  /// `true` if a mark or a gap before a position is exported; one behind the last step is if that is the last of the log.
  func hasLine(at position: Int) -> Bool {
    position >= positions.lowerBound && (position < positions.upperBound || reachesEnd)
  }

  /// `true` if the steps reach the end of the log.
  var reachesEnd: Bool { positions.upperBound == timeline.log.count }

  /// The start of the recording; 1970 if the log does not name it.
  var created: LogInstant { timeline.log.header.created ?? LogInstant(microseconds: 0) }

  /// The time at which a step was dispatched, or the last possible one.
  func instant(of step: LogStep) -> LogInstant {
    let (sum, isTooLate) = created.microseconds.addingReportingOverflow(
      Int64(clamping: step.time.microseconds))
    return LogInstant(microseconds: isTooLate ? .max : sum)
  }
}

extension ExportFormat {
  static let actions = ExportFormat(
    name: "actions", help: "actions: only the actions, a JSON array with one action a line."
  ) { steps, sink in
    sink.append(UInt8(ascii: "["))
    try steps.forEach { position, step in
      sink.append(position == steps.positions.lowerBound ? "\n" : ",\n")
      var writer = JSONWriter()
      writer.raw(step.action)
      sink.append(writer.bytes)
      try sink.drain()
    }
    sink.append("\n]\n")
    return []
  }
}
