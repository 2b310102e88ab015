import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// A repair makes no divergences: a log that verified still does.
@Suite struct RepairVerdictTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the report of verifying a log, without the log's name.
  private func told(_ path: String) async throws -> ReplayReport {
    var report = try await tally().verify(LogFile.open(path))
    report.log = ""
    // A crash leaves no end line, and a repair one that says so: each has a note of its own.
    report.notes.removeAll {
      $0.hasPrefix("the log was not closed: ") || $0.hasPrefix("the log is incomplete: ")
    }
    return report
  }

  @Test("a log that a crash has cut verifies after its repair as before it", arguments: 0...6)
  func cut(_ lines: Int) async throws {
    let (_, crashed) = try recordCrash(in: folder, afterLines: lines) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))  // 1
      dispatcher.dispatch(TallyAction.chain(2))  // 2, and 3, 4
      dispatcher.dispatch(TallyAction.refuse)  // 5
      dispatcher.dispatch(TallyAction.chain(1))  // 6, and 7
    }
    let copy = folder.path("copy.jsonl")
    _ = try crashed.repair(to: copy)
    let before = try await told(crashed.log.path)
    #expect(!before.isClosed)
    #expect(before.verdict == (lines == 0 ? .empty : .passed))
    #expect(try await told(copy) == before)
  }

  @Test("where a crash came before the follow-ups of a rebuilt step, they are not asked for")
  func rebuilt() async throws {
    enum Progress: Action { case begin, go }
    struct Worker: Store {
      let id: StoreID = "worker"
      let initialState = 0
      var atFollowUp: @Sendable () -> Void = {}
      func reduce(_ count: inout Int, _ action: Progress, _ step: inout Step) {
        count += 1
        guard action == .begin else { return atFollowUp() }
        step.dispatch(Progress.go)
      }
    }
    let (whole, crashed) = (folder.url("whole.jsonl"), folder.url("crashed.jsonl"))
    let worker = Worker {
      #expect(throws: Never.self) {
        try FileManager.default.copyItem(
          atPath: whole.inFlight.path, toPath: crashed.inFlight.path)
      }
    }
    _ = try record([worker], to: whole) { $0.dispatch(Progress.begin) }
    let header = try String(contentsOf: whole, encoding: .utf8).prefix { $0 != "\n" } + "\n"
    try header.write(to: crashed, atomically: true, encoding: .utf8)
    let replayer = AppDefinition { [Worker()] }
    let copy = folder.path("copy.jsonl")
    let report = try CrashRepair(of: Timeline(LogFile.open(crashed.path)), in: replayer)
      .write(to: copy)
    #expect(report.rebuiltSteps == 1)
    #expect(
      report.notes == ["step 2, progress/go, is not rebuilt: it was running when the app ended"])
    let verified = try await replayer.verify(LogFile.open(copy))
    #expect(verified.verdict == .passed)
    #expect(
      verified.notes == [
        "the log ends before the follow-ups of step 1",
        "the log is incomplete: recording failed, or a repair closed it; steps may be missing",
      ])
  }

  @Test("where follow-ups lie in a gap at the end of a closed log, they are not asked for")
  func gapAtEnd() async throws {
    let url = folder.url("log.jsonl")
    _ = try record(
      to: url, { $0.shouldSkip = { if case TallyAction.add = $0 { true } else { false } } }
    ) { dispatcher in
      dispatcher.dispatch(TallyAction.chain(2))
    }
    let report = try await told(url.path)
    #expect(report.verdict == .passed)
    #expect(report.steps == 1)
  }
}
