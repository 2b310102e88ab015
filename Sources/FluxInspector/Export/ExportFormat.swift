import FluxJSON
import FluxLog

/// The forms of a recording for other tools.
enum ExportFormat: String, CaseIterable {
  /// The lifted state of Redux DevTools: actions with their states.
  case redux
  /// The actions alone, as a JSON array.
  case actions
  /// A table of the steps.
  case csv

  /// Writes the steps.
  ///
  /// They are passed on piece by piece, so only one step and its states are held at a time.
  ///
  /// - Throws: `LogError` if a step cannot be read, and errors of the sink.
  func write(_ steps: ExportedSteps, to sink: inout ByteSink) throws {
    switch self {
    case .redux: try steps.writeLiftedState(to: &sink)
    case .actions: try steps.writeActions(to: &sink)
    case .csv: try steps.writeTable(to: &sink)
    }
    try sink.flush()
  }

  /// The names of all forms: `redux, actions or csv`.
  static var names: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
  }
}

/// The steps of a recording to export.
struct ExportedSteps {
  let timeline: Timeline
  /// The positions of the steps.
  let positions: Range<Int>
  /// The position that the session is at.
  let here: Int
  /// Receives the progress before each step; its errors end the export.
  let report: (_ done: Int, _ total: Int) throws -> Void

  /// Passes on one step after the other.
  func forEach(_ body: (_ position: Int, LogStep) throws -> Void) throws {
    for position in positions {
      try report(position - positions.lowerBound, positions.count)
      try body(position, try timeline.step(at: position))
    }
  }

  /// The start of the recording; 1970 if the log does not name it.
  var created: LogInstant { timeline.log.header.created ?? LogInstant(microseconds: 0) }

  /// The time at which a step was dispatched, or the last possible one.
  func instant(of step: LogStep) -> LogInstant {
    let (sum, isTooLate) = created.microseconds.addingReportingOverflow(
      Int64(clamping: step.time.microseconds))
    return LogInstant(microseconds: isTooLate ? .max : sum)
  }
}

extension ExportedSteps {
  /// Writes the actions as they were recorded: an array with one action a line.
  func writeActions(to sink: inout ByteSink) throws {
    sink.append(UInt8(ascii: "["))
    try forEach { position, step in
      sink.append((position == positions.lowerBound ? "\n" : ",\n").utf8)
      var writer = JSONWriter()
      writer.raw(step.action)
      sink.append(writer.bytes)
      try sink.drain()
    }
    sink.append("\n]\n".utf8)
  }
}
