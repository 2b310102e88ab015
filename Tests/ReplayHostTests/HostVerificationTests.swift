import Counter
import FluxLog
import Foundation
import TestFixtures
import Testing

@testable import FluxHost
@testable import FluxReplay

/// Logs that are verified in another process.
@Suite(.waiting) struct HostVerificationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a passing log passes in the host's own process, too")
  func passes() throws {
    var log = CounterLog()
    for amount in [1, 5, -100, -2] { log.add(amount) }
    let timeline = try log.timeline(in: folder)
    let near = try CounterApp().verifyHere(timeline)
    #expect(near.verdict == .passed && near.steps == 4)
    let app = Subjects.counter()
    #expect(try app.verify(timeline) == near)
    #expect(try app.verifyHere(timeline) == near)
  }

  @Test("a log that diverges has the same report as in this process")
  func diverges() throws {
    var log = CounterLog()
    log.add(1)
    log.add(1, recorded: 3)
    log.add(1)
    let timeline = try log.timeline(in: folder)
    let app = Subjects.counter()
    let far = try app.verify(timeline)
    var near = try CounterApp().verifyHere(timeline)
    near.app = app.executable
    #expect(far == near)
    #expect(far.divergences.map(\.step) == [2])
  }

  @Test("the host ignores the same paths")
  func options() throws {
    var log = CounterLog()
    log.add(1)
    log.add(1, recorded: 3)
    log.add(1, recorded: 3)
    let timeline = try log.timeline(in: folder)
    var options = Verification.Options()
    options.ignoring = [try IgnoredPath("/counter/count")]
    #expect(try Subjects.counter().verify(timeline, options: options).verdict == .passed)
    options.ignoring = []
    options.range = 0..<1
    let report = try Subjects.counter().verify(timeline, options: options)
    #expect(report.verdict == .passed && report.steps == 1)
  }

  @Test("the host reports progress, and stops when it is cancelled")
  func cancellation() throws {
    var log = CounterLog()
    for _ in 0..<6 {
      for _ in 0..<63 { log.add(1) }
      log.act("counter/sleep")
    }
    let timeline = try log.timeline(in: folder)
    var told: [[Int]] = []
    let app = Subjects.counter()
    #expect(throws: Enough.self) {
      try app.verify(timeline) { done, total in
        told.append([done, total])
        throw Enough()
      }
    }
    #expect(told.count == 1)
    #expect(told.first?.first.map { $0 % 64 == 0 && $0 > 0 } == true)
    #expect(told.first?.last == 384)
  }

  private struct Enough: Error {}

  @Test("a divergence before a crash is reported")
  func divergenceBeforeCrash() throws {
    var log = CounterLog()
    for _ in 0..<20 { log.add(1) }
    log.add(1, recorded: 30)
    log.act("counter/trap")
    let timeline = try log.timeline(in: folder)
    let report = try Subjects.counter().verify(timeline)
    #expect(report.verdict == .diverged)
    #expect(report.divergences.map(\.step) == [21])
    #expect(report.notes.count == 1)
    let note = try #require(report.notes.first)
    #expect(note.contains("step 22, counter/trap: the app was terminated by"))
  }

  @Test("a crash without a difference before it is a failure, with its step")
  func crash() throws {
    var log = CounterLog()
    for _ in 0..<20 { log.add(1) }
    log.act("counter/trap")
    let timeline = try log.timeline(in: folder)
    let failure = #expect(throws: ReplayFailure.self) {
      try Subjects.counter().verify(timeline)
    }
    #expect(failure?.step == 21)
    #expect(failure?.action == "counter/trap")
  }
}
