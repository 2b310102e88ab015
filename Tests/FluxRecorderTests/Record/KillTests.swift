import FluxCore
import FluxHost
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// An app that is recorded, and crashes or is killed.
@Suite struct KillTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("the log of an app whose reducer traps has every earlier step, and the action that did it")
  func trap() throws {
    let url = folder.url("trap.jsonl")
    let process = try CrashExample.start("trap", url)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)

    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    let severities = log.findings.map(\.problem.severity)
    #expect(severities.allSatisfy { $0 == .note })
    let inFlight = try log.inFlight()
    // What had its line at the moment of the crash is in the log, the rest beside it.
    #expect(log.count + inFlight.count == 4)
    let recorded = try (0..<log.count).map { try log.step(at: $0).action.text }
    #expect(
      recorded + inFlight.map { $0.action?.text ?? "" } == [
        #"{"type":"basket/add","payload":{"_0":"tea","price":300}}"#,
        #"{"type":"basket/add","payload":{"_0":"cup","price":700}}"#,
        #"{"type":"basket/split","payload":{"people":2}}"#,
        #"{"type":"basket/split","payload":{"people":0}}"#,
      ])
    #expect(inFlight.last?.number == 4)
    #expect(inFlight.map(\.isCommitted) == inFlight.map { $0.number < 4 })
    let repaired = try repaired(log, "trap")
    #expect(
      repaired.report.notes == [
        "step 4, basket/split, is not rebuilt: it was running when the app ended"
      ])
    #expect(
      try states(of: repaired.timeline) == [
        #"{"items":["tea"],"total":300}"#, #"{"items":["tea","cup"],"total":1000}"#,
        #"{"items":["tea","cup"],"share":500,"total":1000}"#,
      ])
  }

  /// The log with the steps that had no line when the app ended, which the app itself has rebuilt.
  private func repaired(
    _ log: LogFile, _ name: String
  ) throws -> (timeline: Timeline, report: RepairReport) {
    let path = folder.path("\(name)-repaired.jsonl")
    let app = HostApp(executable: CrashExample.program.path)
    let report = try CrashRepair(of: Timeline(log), in: app).write(to: path)
    return (Timeline(try LogFile.open(path)), report)
  }

  /// The state after each step; nil if the recorder left it out because it was behind.
  private func states(of timeline: Timeline) throws -> [String?] {
    try timeline.log.waitForIndex()
    return try (0..<timeline.log.count).map { position in
      try timeline.storeState("basket", at: position).json?.text
    }
  }

  /// The number of times that the app is killed.
  private static let rounds =
    ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 10 : 200
  private static let seed =
    ProcessInfo.processInfo.environment["FLUX_SEED"].flatMap { UInt64($0) } ?? 9

  @Test("killed at any moment, the log knows every action whose dispatch had returned")
  func kill9() throws {
    print("seed \(Self.seed): FLUX_SEED sets another")
    var random = SplitMix64(seed: Self.seed, step: 1)
    for round in 0..<Self.rounds {
      let moment = UInt64.random(in: 1...2_000, using: &random)
      let url = folder.url("\(round).jsonl")
      let returned = try kill(at: moment, url)
      try check(url, returned, "seed \(Self.seed), round \(round), killed after step \(moment)")
    }
  }

  /// Runs the app until so many dispatches have returned, kills it, and tells how many had.
  private func kill(at moment: UInt64, _ log: URL) throws -> UInt64 {
    let output = Pipe()
    let process = try CrashExample.start("load", log, output: output)
    var text = Data()
    var count: UInt64 = 0
    var isKilled = false
    while true {
      // What there is at the moment; nothing once the app is gone.
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { break }
      text.append(piece)
      count += UInt64(piece.count { $0 == UInt8(ascii: "\n") })
      guard count >= moment, !isKilled else { continue }
      isKilled = true
      #expect(Foundation.kill(process.processIdentifier, SIGKILL) == 0)
    }
    process.waitUntilExit()
    #expect(isKilled && process.terminationStatus == SIGKILL)
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").prefix(Int(count))
    #expect(lines.map { UInt64($0) } == (0..<count).map { $0 + 1 })
    return count
  }

  private func check(_ url: URL, _ returned: UInt64, _ comment: Comment) throws {
    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    let severities = log.findings.map(\.problem.severity)
    #expect(severities.allSatisfy { $0 == .note }, comment)
    let inFlight = try log.inFlight()
    let known = UInt64(log.count + inFlight.count)
    #expect(inFlight.map(\.number) == (UInt64(log.count)..<known).map { $0 + 1 }, comment)
    let committed = UInt64(log.count) + UInt64(inFlight.count { $0.isCommitted })
    #expect(committed >= returned, comment)
    // At most one was under way, and nothing was lost before it.
    #expect(inFlight.dropLast().allSatisfy { $0.isCommitted }, comment)
    #expect(inFlight.allSatisfy { $0.type == "basket/add" }, comment)
    let repaired = try repaired(log, url.lastPathComponent)
    let found = try states(of: repaired.timeline)
    let expected = (0..<Int(committed)).map(Self.state)
    #expect(found.count == expected.count, comment)
    #expect(zip(found, expected).allSatisfy { $0 == nil || $0 == $1 }, comment)
    #expect(found.last == expected.last, comment)
  }

  /// The basket after a step of the app that works on and on, by the step's position.
  private static func state(at position: Int) -> String {
    let items = Array(repeating: #""tea""#, count: min(10, position + 1)).joined(separator: ",")
    return #"{"items":[\#(items)],"total":\#((position + 1) * 300)}"#
  }
}
