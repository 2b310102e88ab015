import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

@testable import FluxCorpus

/// A run with a log of each result, and names and values that no format may take for its own.
enum SampleSuite {
  static let divergence: Divergence = {
    var divergence = Divergence(
      .different, step: 5, action: ["type": "todo/toggle", "payload": ["id": 2]],
      recorded: "<b> & \"c\"", replayed: true)
    divergence.line = 6
    divergence.store = "todos"
    divergence.chain = [.init(number: 5, type: "todo/toggle")]
    divergence.reason = "the reducer of todos changed"
    return divergence
  }()

  static let diverged: VerifiedLog = {
    var report = ReplayReport(log: "b|#,:.jsonl")
    report.steps = 4
    report.divergences = [divergence]
    return VerifiedLog(log: report.log, outcome: .report(report), seconds: 1.2345)
  }()

  static let passed: VerifiedLog = {
    var report = ReplayReport(log: "a & <a>.jsonl")
    report.steps = 20
    return VerifiedLog(log: report.log, outcome: .report(report), seconds: 0.0121)
  }()

  static let damaged: VerifiedLog = {
    var report = ReplayReport(log: "d.jsonl")
    report.damage = [Finding(problem: .notAnObject, line: 3)]
    return VerifiedLog(log: report.log, outcome: .report(report), seconds: 0)
  }()

  static let failed = VerifiedLog(
    log: "c.jsonl",
    outcome: .failure(
      ReplayFailure(
        .exited(.signal(4, name: "SIGILL")), app: "./app", step: 7, action: "todo/clear")),
    seconds: 61)

  static let unreadable = VerifiedLog(
    log: "e.jsonl", outcome: .unreadable(LogError(path: "e.jsonl", reason: .empty)))

  static let notRun = VerifiedLog(log: "f.jsonl", outcome: .notRun)

  static let suite = VerifiedSuite(
    began: LogInstant(microseconds: 1_763_640_000_000_000), seconds: 62.5,
    logs: [passed, diverged, failed, damaged, unreadable, notRun])
}
