import FluxCommands
import FluxInspector
import FluxLog
package import FluxReplay
import FluxSystem

extension Subcommand {
  /// `repair LOG -o OUT [--app PATH]`: a copy of a log without its damage.
  ///
  /// The copy must not exist. With an app, replay rebuilds the steps that were not written because of a crash; without one,
  /// the actions in flight are left out.
  package static func repair(
    _ path: String, to copy: String, app: (any ReplayApp)? = nil
  ) -> Subcommand {
    Subcommand { services, output in
      let session = try Session.opened(path, with: services)
      // Before the copy: a file of actions in flight that cannot be read leaves none.
      let inFlight = try app == nil ? session.log.inFlight() : []
      let progress = session.work.reporting("checking")
      let report: RepairReport
      do {
        report =
          try app.map {
            try CrashRepair(of: session.timeline, in: $0).write(to: copy, progress: progress)
          } ?? session.timeline.repair(to: copy, progress: progress)
      } catch let error as LogError where error.path == copy {
        let exists = if case .system(_, EEXIST) = error.reason { true } else { false }
        throw CommandError(
          exists ? .exists : .file, exists ? "\(copy) already exists" : error.message,
          hint: exists ? "a repaired log is a new file: name one that does not exist" : nil)
      } catch let failure as ReplayFailure {
        guard failure.reason != .cancelled else { throw CommandError.cancelled }
        throw CommandError(
          .file, lines: "\(copy.printable): not written: \(failure)",
          note: "without an app, the log is repaired without the actions in flight")
      }
      let rebuildable = session.log.rebuildable(inFlight).count
      let result = RepairResult(
        report, file: copy, leftInFlight: inFlight, rebuildable: rebuildable)
      try output.write(.repair(result))
      return 0
    }
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
  /// The number of these whose steps an app can rebuild; not encoded.
  let rebuildable: Int
  let remarks: [String]?

  init(
    _ report: RepairReport, file: String, leftInFlight: [InFlightAction], rebuildable: Int
  ) {
    self.rebuildable = rebuildable
    self.file = file
    (steps, droppedLines) = (report.steps, report.droppedLines)
    gaps = report.gaps.map(GapEntry.init)
    rebuiltSteps = report.rebuiltSteps > 0 ? report.rebuiltSteps : nil
    self.leftInFlight = leftInFlight.isEmpty ? nil : leftInFlight.count
    leftActions = leftInFlight.isEmpty ? nil : leftInFlight.map(InFlightStep.init)
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
      let hasEnded = result.leftActions?.contains(where: \.isCommitted) == true
      try text.line(
        "  \(left.counted("action")) in flight left out; "
          + (result.rebuildable > 0
            ? "--app PATH rebuilds \(result.rebuildable.counted("step"))"
            : hasEnded
              ? "an app cannot rebuild a step"
              : "none had ended, so an app cannot rebuild a step"),
        .dim)
      for action in result.leftActions ?? [] {
        try text.line("    \(action.sentenceWithPayload)", .dim)
      }
    }
  }
}
