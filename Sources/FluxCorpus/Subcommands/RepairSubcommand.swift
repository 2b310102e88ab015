import FluxCommands
package import FluxInspector
import FluxLog
package import FluxReplay
import FluxSystem

/// `repair LOG -o OUT [--app PATH]`: a copy of a log without its damage.
///
/// With an app, replay rebuilds the steps that were not written because of a crash.
package struct RepairSubcommand: Subcommand {
  private let path: String
  private let copy: String
  private let app: (any ReplayApp)?

  /// Makes the subcommand; the copy must not exist, and the actions in flight are left out without an app.
  package init(_ path: String, to copy: String, app: (any ReplayApp)? = nil) {
    self.path = path
    self.copy = copy
    self.app = app
  }

  package func perform(with services: Services, to output: inout SubcommandOutput) throws -> Int32 {
    let session = try Session.opened(path, with: services)
    // Before the copy: a file of actions in flight that cannot be read leaves none.
    let inFlight = try app == nil ? session.log.inFlight() : []
    let report: RepairReport
    do {
      report = try repair(session)
    } catch let error as LogError where error.path == copy {
      guard case .system(_, EEXIST) = error.reason else { throw CommandError(.file, error.message) }
      throw CommandError(
        .file, error.message, hint: "a repaired log is a new file: name one that does not exist")
    } catch let failure as ReplayFailure {
      guard failure.reason != .cancelled else { throw CommandError.cancelled }
      throw CommandError(
        .file, lines: "\(copy.printable): not written: \(failure)",
        hint: "without an app, the log is repaired without the actions in flight")
    }
    try output.write(.repair(RepairResult(report, file: copy, leftInFlight: inFlight)))
    return 0
  }

  private func repair(_ session: Session) throws -> RepairReport {
    let progress = session.work.reporting("checking")
    guard let app else { return try session.timeline.repair(to: copy, progress: progress) }
    return try CrashRepair(of: session.timeline, in: app).write(to: copy, progress: progress)
  }
}

/// A repaired log: `{"file","steps","dropped","gaps","rebuilt"?,"inFlight"?,"actions"?,"notes"?}`.
private struct RepairResult: CommandResult {
  enum CodingKeys: String, CodingKey {
    case file, steps, droppedLines = "dropped", gaps, rebuiltSteps = "rebuilt"
    case leftInFlight = "inFlight", leftActions = "actions", remarks = "notes"
  }

  let file: String
  let steps: Int
  let droppedLines: Int
  let gaps: [GapEntry]
  let rebuiltSteps: Int?
  /// The number of actions in flight that are not in the copy, as there was no app.
  let leftInFlight: Int?
  /// These actions.
  let leftActions: [InFlightStep]?
  /// The number of these whose steps an app can rebuild, as they were not running when the app ended; not encoded.
  let rebuildable: Int
  let remarks: [String]?

  init(_ report: RepairReport, file: String, leftInFlight: [InFlightAction]) {
    self.file = file
    (steps, droppedLines) = (report.steps, report.droppedLines)
    gaps = report.gaps.map(GapEntry.init)
    rebuiltSteps = report.rebuiltSteps > 0 ? report.rebuiltSteps : nil
    self.leftInFlight = leftInFlight.isEmpty ? nil : leftInFlight.count
    leftActions = leftInFlight.isEmpty ? nil : leftInFlight.map(InFlightStep.init)
    rebuildable = leftInFlight.prefix { $0.isCommitted && !$0.isDropped && $0.action != nil }.count
    let suspect = Set(report.findings.filter { $0.problem.severity == .suspect }.map(\.line)).count
    let notes = report.notes + (suspect == 0 ? [] : [Self.note(suspect)])
    remarks = notes.isEmpty ? nil : notes
  }

  /// Says why 'check' still finds damage in the copy: it does not make steps unusable.
  private static func note(_ count: Int) -> String {
    count == 1
      ? "1 usable step kept as it is, although 'check' finds a fault in it"
      : "\(count) usable steps kept as they are, although 'check' finds faults in them"
  }
}

extension Reply {
  fileprivate static func repair(_ result: RepairResult) -> Reply {
    Reply(result) { result, text in
      try text.line(
        "\(result.file): \(result.steps.counted("step")) kept, "
          + "\(result.droppedLines.counted("line")) left out")
      for gap in result.gaps { try text.line("  \(gap.sentence)", .dim) }
      if let rebuilt = result.rebuiltSteps {
        try text.line("  \(rebuilt.counted("step")) rebuilt")
      }
      for remark in result.remarks ?? [] { try text.line("  \(remark)", .dim) }
      guard let left = result.leftInFlight else { return }
      try text.line(
        "  \(left.counted("action")) in flight left out; "
          + (result.rebuildable == 0
            ? "none had ended, so an app cannot rebuild a step"
            : "--app PATH rebuilds \(result.rebuildable.counted("step"))"),
        .dim)
      for action in result.leftActions ?? [] {
        try text.line("    \(action.sentenceWithPayload)", .dim)
      }
    }
  }
}
