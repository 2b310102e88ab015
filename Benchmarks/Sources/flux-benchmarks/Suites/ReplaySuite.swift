import ChatExample
import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Harness
import Inputs

/// Proving that today's code still leads to the recorded states.
func replaySuite(_ conditions: Conditions) -> Suite {
  let steps = conditions.scale(200_000, quick: 50_000)
  return Suite(
    "replay",
    [
      Figure(
        "verify small states", in: .stepsPerSecond, target: .atMost(2_700, .multiplication),
        limit: .atMost(1_600, .multiplication)
      ) {
        let url = try conditions.file("tallies-\(steps).jsonl") { url in
          try recordTallies(to: url, steps: steps, seed: conditions.seed)
        }
        let log = try LogFile.open(url.filePath)
        try log.waitForIndex()
        return Contest(
          verification(of: log, steps: steps, AppDefinition(stores: makeTallyStores)),
          on: "\(Readable.grouped(steps)) steps, \(try url.byteCount() / steps) B each")
      },
      // The realistic case: eight stores, lists in pages, and a list of messages that grows.
      Figure("verify a chat", in: .stepsPerSecond) {
        let url = URL(filePath: #filePath)
          .appending(path: "../../../../../Recordings/chat-long.jsonl").standardized
        let log = try LogFile.open(url.filePath)
        try log.waitForIndex()
        let app = AppDefinition { makeChat(service: LocalServer()) }
        return Contest(
          verification(of: log, steps: log.count, app),
          on: "\(Readable.grouped(log.count)) steps, \(try url.byteCount() / log.count) B each")
      },
      // A large state of which each step changes three small parts.
      Figure("verify a text", in: .stepsPerSecond) {
        let steps = conditions.scale(20_000, quick: 5_000)
        let url = try textLog(steps, conditions)
        let log = try LogFile.open(url.filePath)
        try log.waitForIndex()
        let app = AppDefinition {
          TextSession(lines: MemoryTask.textLines, seed: conditions.seed).stores()
        }
        return Contest(
          verification(of: log, steps: steps, app),
          on: "\(Readable.grouped(steps)) steps, 75 KB of lines")
      },
      addedCost(1_000, conditions),
      addedCost(4_000, conditions),
      Figure(
        "peak memory of redispatching a text, by the log", in: .percent,
        target: conditions.isQuick ? nil : .atMost(300)
      ) {
        let url = try textLog(steps / 2, conditions)
        return Contest(
          .counted {
            [Double(try MemoryTask.redispatch.peak(of: url)) / Double(try url.byteCount()) * 100]
          },
          on: "\(Readable.grouped(steps / 2)) steps, \(try url.byteCount() / 1_000_000) MB")
      },
    ])
}

/// The cost of verifying beyond the app, for a text of so many lines.
private func addedCost(_ lines: Int, _ conditions: Conditions) -> Figure {
  Figure(
    "added to the app by verifying \(lines) lines", in: .microseconds,
    target: .atMost(24_000, .multiplication),
    limit: .atMost(8_000, .multiplication)
  ) {
    let steps = conditions.scale(5_000, quick: 2_000)
    let log = try LogFile.open(try textLog(steps, lines: lines, conditions).filePath)
    try log.waitForIndex()
    let cost = TextCost(lines: lines, steps: steps, seed: conditions.seed)
    return Contest(
      .timed(rounds: conditions.isQuick ? 3 : 5) { [try cost.verifying(log)] },
      on: "\(Readable.grouped(steps)) steps")
  }
}

/// A session of writing in a text of 75 KB, or of other lines.
func textLog(
  _ steps: Int, lines: Int = MemoryTask.textLines, _ conditions: Conditions
) throws -> URL {
  let name = lines == MemoryTask.textLines ? "text-\(steps)" : "text-\(lines)-\(steps)"
  return try conditions.file("\(name).jsonl") { url in
    try TextSession(lines: lines, seed: conditions.seed).record(to: url, steps: steps)
  }
}

/// Verifies a log, which must pass.
private func verification(of log: LogFile, steps: Int, _ app: AppDefinition<Never, Never>) -> Work {
  .repeated(amount: steps) {
    let report = try app.verify(Timeline(log))
    guard report.verdict == .passed, report.steps == steps else {
      throw ExternalProgram.Failure(description: report.text)
    }
  }
}
