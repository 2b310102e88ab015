import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Processes that write a log and are killed.
@Suite struct CrashTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let rounds =
    ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 4 : 200

  /// Writes steps, noting in `progress` how far it has come, until it is killed by itself.
  ///
  /// The moment is in the middle of whatever the two threads do then: a third one counts to it.
  private static func crash(
    path: String, keeping steps: Int?, moment: Int, isRingWritten: Bool
  ) throws -> Never {
    var options = LogWriter.Options()
    options.ring = isRingWritten ? .written : .mapped
    options.retention = steps.map { .steps($0) }
    let writer = try LogWriter(
      path: path, header: LogHeader(stores: [.init(name: "a")]), options: options)
    let progress = try OpenFile(creating: path + ".progress")
    Thread {
      var spins = 0
      for _ in 0..<moment { spins &+= getppid() >= 0 ? 1 : 0 }
      kill(getpid(), spins > 0 ? SIGKILL : SIGTERM)
    }.start()
    var number: UInt64 = 0
    while true {
      number += 1
      let time = LogTime(microseconds: number)
      let value = JSON(integerLiteral: Int64(number))
      let action = writer.begin(
        step: number, at: time, action: LogValue(json: ["type": "t", "payload": value]))
      _ = progress.append(Array("b\(number)\n".utf8))
      writer.append(
        StepRecord(
          number: number, time: time, action: action,
          changes: [.init(store: "a", state: LogValue(json: ["value": value]))]))
      _ = progress.append(Array("c\(number)\n".utf8))
    }
  }

  @Test(
    "After a kill every whole line is read, and every action that began is in flight or written",
    arguments: [(nil, false), (40, false), (nil, true), (40, true)] as [(Int?, Bool)])
  func kill9(keeping steps: Int?, isRingWritten: Bool) async throws {
    print("FLUX_SEED=\(SeededGenerator.seed)")
    var random = SeededGenerator()
    for round in 0..<Self.rounds {
      // From before the first step to some hundreds of them.
      let moment = Int.random(in: 1...Int.random(in: 1...100_000, using: &random), using: &random)
      let name = "round-\(round)"
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = folder.path("\(name).jsonl") as String, steps = steps as Int?,
          moment = moment as Int, isRingWritten = isRingWritten as Bool
        ] in
        try Self.crash(
          path: path, keeping: steps, moment: moment, isRingWritten: isRingWritten)
      }
      try check(
        name, keeping: steps, "FLUX_SEED=\(SeededGenerator.seed), \(name), moment \(moment)")
    }
  }

  private func check(_ name: String, keeping kept: Int?, _ comment: Comment) throws {
    let logs = try logs(name)
    let newest = try #require(logs.last, comment)
    let first = logs[0].header.first
    var next = first
    for log in logs {
      #expect(log.header.first == next, comment)
      try checkSteps(of: log, comment)
      next += UInt64(log.count)
    }
    #expect(first == 1 || next - first >= kept ?? .max, comment)

    let inFlight = try newest.inFlight()
    let known = next + UInt64(inFlight.count) - 1
    #expect(inFlight.map(\.number) == (next..<known + 1).map { $0 }, comment)
    // One that began and did not commit can only be the last.
    #expect(inFlight.dropLast().allSatisfy { $0.isCommitted }, comment)
    for action in inFlight {
      #expect(action.action?["payload"]?.number?.uint64 == action.number, comment)
    }
    let progress = try folder.text(of: "\(name).jsonl.progress").split(separator: "\n")
    let begun = progress.count { $0.hasPrefix("b") }
    let committed = progress.count { $0.hasPrefix("c") }
    #expect(known >= begun && known <= begun + 1, comment)
    #expect(next - 1 + UInt64(inFlight.count { $0.isCommitted }) >= committed, comment)
  }

  /// The segments, oldest first, or the only log; the newest segment may be without its header.
  private func logs(_ name: String) throws -> [LogFile] {
    var names = try folder.names().filter { $0.hasPrefix("\(name).") && $0.hasSuffix(".jsonl") }
    if let newest = names.last, names.count > 1, try !folder.bytes(of: newest).contains(0x0A) {
      names.removeLast()
    }
    return try names.map { try LogFile.opened(folder.path($0)) }
  }

  private func checkSteps(of log: LogFile, _ comment: Comment) throws {
    #expect(log.findings.allSatisfy { $0.problem.severity == .note }, comment)
    let (steps, errors) = log.allSteps()
    #expect(errors == [], comment)
    #expect(
      steps.map(\.number) == (0..<UInt64(log.count)).map { log.header.first + $0 }, comment)
    let timeline = Timeline(log)
    for (position, step) in steps.enumerated() {
      let state: JSON = ["value": JSON(integerLiteral: Int64(step.number))]
      #expect(try timeline.state(of: "a", at: position) == state, comment)
    }
  }
}
