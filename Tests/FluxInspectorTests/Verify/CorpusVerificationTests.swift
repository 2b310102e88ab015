import FluxCorpus
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import Synchronization
import TestFixtures
import Testing

@Suite struct CorpusVerificationTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Logs whose names say their verdicts.
  private func logs(_ names: [String]) throws -> [String] {
    try names.map { name in
      guard name != "missing" else { return folder.path(name) }
      return try folder.write(TodoLog.lines.joined(separator: "\n").utf8, to: name)
    }
  }

  /// Says of a log what its name says.
  private static let verify: CorpusVerification.Verify = { timeline, _, progress in
    let log = timeline.log
    try progress(1, 8)
    var report = ReplayReport(log: log.path)
    report.steps = log.count
    if log.path.contains("differs") {
      report.divergences = [Divergence(.different, step: 5, action: ["type": "todo/toggle"])]
    }
    if log.path.contains("crashes") {
      throw ReplayFailure(.exited(.signal(5, name: "SIGTRAP")), step: 5)
    }
    return report
  }

  private func results(
    _ names: [String], _ change: (inout CorpusVerification) -> Void
  ) throws -> (results: [String], told: [String]) {
    var verification = CorpusVerification(Self.verify)
    change(&verification)
    let told = Mutex<[String]>([])
    let suite = verification.run(try logs(names)) { log in
      told.withLock { $0.append(log.result.rawValue) }
    }
    return (suite.logs.map(\.result.rawValue), told.withLock { $0 })
  }

  @Test(
    "the first log that does not pass is the last that is run, and the rest is told all the same")
  func stop() throws {
    let (results, told) = try results(["a", "differs", "b", "c"]) { _ in }
    #expect(results == ["passed", "diverged", "not run", "not run"])
    #expect(told == results)
  }

  @Test("one that keeps going runs all, in order, however many at a time", arguments: [1, 3, 64])
  func keepGoing(jobs: Int) throws {
    let names = ["a", "differs", "missing", "crashes"] + (0..<40).map { "log \($0)" }
    let (results, told) = try results(names) {
      $0.keepsGoing = true
      $0.jobs = jobs
    }
    #expect(
      results == ["passed", "diverged", "unreadable", "failed"]
        + Array(repeating: "passed", count: 40))
    #expect(told == results)
  }

  @Test("a file that cannot be imported is named once, with what to do")
  func unimportable() throws {
    var verification = CorpusVerification(Self.verify)
    verification.open = { path in
      throw CommandError(.unreadable, "\(path): not a session: found 5", hint: "name a session")
    }
    #expect(
      verification.run(["five.jsonl"]).logs.map(\.text)
        == ["unreadable: five.jsonl: not a session: found 5; name a session\n"])
  }

  @Test("a crash is told at the line of its step")
  func line() throws {
    let suite = CorpusVerification(Self.verify).run(try logs(["crashes"]))
    #expect(suite.logs.map(\.failedLine) == [6])
    let annotations = ReportedRun(suite).githubAnnotations(in: "/", workspace: nil)
    #expect(annotations.hasPrefix("::error file="))
    #expect(annotations.contains(",line=6,title=replay failed::"))
  }

  @Test("a log that was under way when the run was interrupted did not fail: it was not run")
  func interrupt() throws {
    let (results, told) = try results(["a", "b"]) { $0.isInterrupted = { true } }
    #expect(results == ["not run", "not run"])
    #expect(told == results)
  }

  @Test("no logs are no results")
  func empty() throws {
    let (results, told) = try results([]) { _ in }
    #expect(results.isEmpty && told.isEmpty)
  }
}
