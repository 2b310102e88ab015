import FluxLog
import FuzzInput

private let copy = InputFile("-repaired.jsonl")

/// Checks a log, and repairs it: of the copy no line is lost, and its steps are those that were reported.
func checkRepair(_ log: LogFile) {
  do {
    for finding in try Timeline(log).check() {
      precondition(finding.line >= 1 && finding.byte >= 0 && !finding.description.isEmpty)
    }
    copy.remove()
    let report = try Timeline(log).repair(to: copy.path)
    let repaired = try openLog(copy)
    let findings = try Timeline(repaired).check()
    let lost = findings.filter { $0.problem.severity == .lost }
    precondition(lost.isEmpty, "the repaired log is damaged: \(lost)")
    precondition(
      repaired.count == report.steps, "\(repaired.count) steps, reported \(report.steps)")
    precondition(repaired.end?.steps == UInt64(report.steps) && !repaired.isTorn, "another end")
  } catch let error as LogError {
    precondition(!error.message.isEmpty)
  } catch {
    preconditionFailure("neither the check nor the repair throws this: \(error)")
  }
}
