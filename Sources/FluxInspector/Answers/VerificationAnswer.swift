import FluxLog
import FluxReplay

/// What verifying the log has shown: a replay's report.
struct VerificationAnswer: Answer {
  let report: ReplayReport

  /// That of the log alone; to verify nothing is not a pass.
  var exitCode: Int32 {
    guard report.steps > 0 || report.verdict != .passed else { return 5 }
    return VerifiedLog(log: report.log, outcome: .report(report)).exitCode
  }

  func write(to json: inout JSONOutput) throws { json.writer.raw(report.json) }

  func write(to text: inout TextOutput) throws {
    for (place, line) in report.text.split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().enumerated()
    {
      try text.line(String(line), place == 0 ? .heading : .plain)
    }
  }
}
