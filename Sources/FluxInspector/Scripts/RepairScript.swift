import FluxLog
package import FluxReplay

/// `repair LOG -o OUT [--app PATH]`: a copy of a log without its damage.
///
/// With an app, the steps that a crash has kept from being written are rebuilt by replay.
package struct RepairScript: Script {
  private let path: String
  private let copy: String
  private let app: (any ReplayApp)?

  /// Makes the script.
  ///
  /// - Parameters:
  ///   - path: The log.
  ///   - copy: The repaired log, which must not be there yet.
  ///   - app: What the actions in flight are dispatched to; nil to leave them out.
  package init(_ path: String, to copy: String, app: (any ReplayApp)? = nil) {
    self.path = path
    self.copy = copy
    self.app = app
  }

  package func perform(with services: Services, to output: inout ScriptOutput) throws -> Int32 {
    let session = try Session.opened(path, with: services)
    let report: RepairReport
    do {
      report = try repair(session)
    } catch let error as LogError where error.path == copy {
      throw CommandError(
        .file, error.message, hint: "a repaired log is a new file: name one that is not there yet")
    } catch let failure as ReplayFailure {
      throw CommandError(
        .file, "\(copy): not written: \(failure)",
        hint: "without an app, the log is repaired without the actions in flight")
    }
    let inFlight = try app == nil ? session.log.inFlight().count : 0
    try output.write(RepairAnswer(report: report, file: copy, leftInFlight: inFlight))
    return 0
  }

  private func repair(_ session: Session) throws -> RepairReport {
    let progress = session.reporting("checking")
    guard let app else { return try session.timeline.repair(to: copy, progress: progress) }
    return try CrashRepair(of: session.timeline, in: app).write(to: copy, progress: progress)
  }
}

/// What was kept and what was lost: `{"file","steps","dropped","gaps":[{"from","to","why"}]}`, and where actions
/// are in flight `"rebuilt"`, `"inFlight"` and `"notes"`.
private struct RepairAnswer: Answer {
  let report: RepairReport
  let file: String
  /// Actions in flight that no app was named for.
  let leftInFlight: Int

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.member("file", file)
    json.writer.name("steps")
    json.writer.int(report.steps)
    json.writer.name("dropped")
    json.writer.int(report.droppedLines)
    json.writer.name("gaps")
    json.writer.beginArray()
    for gap in report.gaps { json.writer.gap(gap) }
    json.writer.endArray()
    if report.rebuiltSteps > 0 {
      json.writer.name("rebuilt")
      json.writer.int(report.rebuiltSteps)
    }
    if leftInFlight > 0 {
      json.writer.name("inFlight")
      json.writer.int(leftInFlight)
    }
    if !report.notes.isEmpty {
      json.writer.name("notes")
      json.writer.beginArray()
      for note in report.notes { json.writer.string(note) }
      json.writer.endArray()
    }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.line("\(file): steps kept: \(report.steps), lines left out: \(report.droppedLines)")
    for gap in report.gaps { try text.line("  \(gap.sentence)", .dim) }
    if report.rebuiltSteps > 0 { try text.line("  steps rebuilt: \(report.rebuiltSteps)") }
    for note in report.notes { try text.line("  \(note)", .dim) }
    guard leftInFlight > 0 else { return }
    try text.line(
      "  actions in flight that are not in it: \(leftInFlight); --app PATH rebuilds their steps",
      .dim)
  }
}
