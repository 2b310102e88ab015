import FluxLog

/// `repair LOG -o OUT`: a copy of a log without its damage.
package struct RepairScript: Script {
  private let path: String
  private let copy: String

  /// Makes the script.
  ///
  /// - Parameters:
  ///   - path: The log.
  ///   - copy: The repaired log, which must not be there yet.
  package init(_ path: String, to copy: String) {
    self.path = path
    self.copy = copy
  }

  package func perform(with services: Services, to output: inout ScriptOutput) throws -> Int32 {
    let session = try Session.opened(path, with: services)
    let report: RepairReport
    do {
      report = try session.timeline.repair(to: copy, progress: session.reporting("checking"))
    } catch let error as LogError where error.path == copy {
      throw CommandError(
        .file, error.message, hint: "a repaired log is a new file: name one that is not there yet")
    }
    try output.write(RepairAnswer(report: report, file: copy))
    return 0
  }
}

/// What was kept and what was lost: `{"file","steps","dropped","gaps":[{"from","to","why"}]}`.
private struct RepairAnswer: Answer {
  let report: RepairReport
  let file: String

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
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.line("\(file): steps kept: \(report.steps), lines left out: \(report.droppedLines)")
    for gap in report.gaps { try text.line("  \(gap.sentence)", .dim) }
  }
}
