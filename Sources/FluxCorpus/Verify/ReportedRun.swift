import FluxLog
import FluxReplay

/// A run over many logs as its reports show it: a case for each thing that was checked.
package struct ReportedRun: Sendable {
  /// The ways in which a case can end.
  enum Kind: Sendable {
    case success
    /// The log shows that something is wrong.
    case failure
    /// The log could not be checked.
    case error
    case skipped
  }

  /// A thing that was checked.
  struct Case: Sendable {
    /// The name, unique in the run.
    var name: String
    /// The path of the log.
    var log: String
    /// The line that the result is about, counted from 1.
    var line = 1
    var kind: Kind
    /// The result in a word.
    var result: String
    /// The reason why a case was skipped.
    var skipReason = ""
    var seconds = 0.0
    /// The whole result for people, each line printable.
    var lines: [String]
    /// Remarks on a case that passed.
    var remarks: [String] = []
    /// The annotation of a case that needs one.
    var annotation: Annotation?

    /// The first difference, where there is one.
    var difference: String?

    /// The first line, and the first difference.
    var headline: String {
      [lines.first ?? "", difference].compactMap(\.self).joined(separator: ": ")
    }
    var text: String { lines.map { $0 + "\n" }.joined() }
  }

  /// The weight of an annotation in GitHub's words.
  enum Annotation: String, Sendable {
    case error, warning, notice
  }

  /// The subcommand: `verify`.
  var command: String
  /// The words before a result in the title of an annotation: `replay`.
  var subject: String
  var began: LogInstant
  var seconds: Double
  package var summary: String
  var cases: [Case]

  /// `true` if a failure kept logs from being checked.
  package var leavesLogsOut: Bool {
    cases.contains { $0.result == VerifiedLog.Result.notRun.rawValue }
  }
}

extension ReportedRun {
  /// Makes the reported form of a verification.
  package init(_ suite: VerifiedSuite) {
    self.init(
      command: "verify", subject: "replay", began: suite.began, seconds: suite.seconds,
      summary: suite.summary, cases: suite.logs.map(Case.init))
  }
}

extension ReportedRun.Case {
  fileprivate init(_ log: VerifiedLog) {
    self.init(
      name: log.log, log: log.log, line: log.line, kind: .success, result: log.result.rawValue,
      seconds: log.seconds, lines: log.lines, remarks: log.remarks)
    if case .report(let report) = log.outcome {
      difference = report.divergences.first?.findings.first?.text
    }
    switch log.result {
    case .passed: kind = .success
    case .diverged, .incompatible: kind = .failure
    case .notRun: (kind, skipReason) = (.skipped, "not run")
    case .empty where log.mayBeEmpty: (kind, skipReason) = (.skipped, "no step to compare")
    case .damaged, .unclosed, .empty, .failed, .unreadable: kind = .error
    }
    if log.exitCode != 0 { annotation = .error } else if log.passedUnclosed { annotation = .notice }
  }
}
