import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Processes that write a log and are killed.
@Suite struct CrashTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How often a process is killed: `FLUX_CRASHES` for more.
  private static let rounds =
    ProcessInfo.processInfo.environment["FLUX_CRASHES"].flatMap { Int($0) } ?? 4

  /// Writes steps, noting in `progress` how far it has come, until it is killed by itself.
  ///
  /// The moment is in the middle of whatever the two threads do then: a third one counts to it.
  private static func crash(path: String, moment: Int) throws -> Never {
    let writer = try LogWriter(path: path, header: LogHeader(stores: [.init(name: "a")]))
    let progress = try OpenFile(replacing: path + ".progress")
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
    "After a kill every whole line is read, and every action that began is in flight or written")
  func kill9() async throws {
    for round in 0..<Self.rounds {
      let path = folder.path("\(round).jsonl")
      // From before the first step to some hundreds of them.
      let moment = 1 + round * round * 977 % 400_000 + round * 4000
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, moment = moment as Int] in
        try Self.crash(path: path, moment: moment)
      }
      try check(path, comment: "moment \(moment)")
    }
  }

  private func check(_ path: String, comment: Comment) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard try Data(contentsOf: URL(filePath: path)).contains(0x0A) else { return }
    let log = try LogFile.opened(path)
    #expect(log.findings.allSatisfy { $0.problem.severity == .note }, comment)
    let (steps, errors) = log.allSteps()
    #expect(errors == [], comment)
    #expect(steps.map(\.number) == (0..<UInt64(log.count)).map { $0 + 1 }, comment)
    let inFlight = try log.inFlight()
    let known = UInt64(log.count + inFlight.count)
    #expect(inFlight.map(\.number) == (UInt64(log.count)..<known).map { $0 + 1 }, comment)
    // One that began and did not commit can only be the last.
    #expect(inFlight.dropLast().allSatisfy { $0.isCommitted }, comment)
    for action in inFlight {
      #expect(action.action?["payload"]?.number?.uint64 == action.number, comment)
    }
    let progress = try String(contentsOfFile: path + ".progress", encoding: .utf8)
      .split(separator: "\n")
    let begun = progress.count { $0.hasPrefix("b") }
    let committed = progress.count { $0.hasPrefix("c") }
    #expect(known >= begun && known <= begun + 1, comment)
    #expect(log.count + inFlight.count { $0.isCommitted } >= committed, comment)
  }
}
