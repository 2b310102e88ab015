import FluxLog
import FluxReplay

/// What verifying the log has shown: a replay's report.
struct VerificationAnswer: Answer {
  let report: ReplayReport

  /// That of the log alone.
  var exitCode: Int32 { VerifiedLog(log: report.log, outcome: .report(report)).exitCode }

  func write(to json: inout JSONOutput) throws { json.writer.raw(report.json) }

  func write(to text: inout TextOutput) throws {
    for (place, line) in report.text.split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().enumerated()
    {
      try text.line(String(line), place == 0 ? .heading : .plain)
    }
  }
}
