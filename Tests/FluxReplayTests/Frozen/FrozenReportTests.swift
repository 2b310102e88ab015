import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog
@testable import FluxReplay

/// The reports of 300 random sessions with random faults, which stay the same byte for byte.
///
/// `sessions.txt` has a digest of each. `FLUX_UPDATE=1` writes it again, after an intended change of the output. With
/// `FLUX_FROZEN=folder`, the test writes the texts there, for a comparison with those of another build.
@Suite struct FrozenReportTests {
  private static let count = 300
  /// The seed of the first session, which is fixed because the digests belong to it.
  private static let seed: UInt64 = 20_261_124
  private static let table = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "sessions.txt")

  @Test("Reports, updates and forks of random sessions have not changed")
  func sessions() throws {
    print("random sessions from seed \(Self.seed)")
    let environment = ProcessInfo.processInfo.environment
    let folder = try TemporaryFolder()
    var found: [String] = []
    for index in 0..<Self.count {
      let text = try Self.examine(index, in: folder)
      let digest = String(CRC32C.checksum(Array(text.utf8)), radix: 16)
      let verdict = text.prefix { $0 != ":" && $0 != "\n" }
      found.append("\(index) \(verdict) \(digest)")
      if let path = environment["FLUX_FROZEN"] {
        try text.write(toFile: "\(path)/\(index).txt", atomically: false, encoding: .utf8)
      }
    }
    if environment["FLUX_UPDATE"] == "1" {
      try found.map { $0 + "\n" }.joined().write(to: Self.table, atomically: true, encoding: .utf8)
    }
    let frozen = try String(contentsOf: Self.table, encoding: .utf8).split(separator: "\n")
    for (found, frozen) in zip(found, frozen) where found != frozen {
      Issue.record("expected \(frozen), found \(found)")
    }
    #expect(found.count == frozen.count)
  }

  /// Returns the reports, updates and forks of a session, without the parts that differ in each run.
  private static func examine(_ index: Int, in folder: TemporaryFolder) throws -> String {
    let session = try GeneratedSession(seed: seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
    let path = folder.path("session-\(index).jsonl")
    try Data(session.log).write(to: URL(filePath: path))
    let log: LogFile
    do {
      log = try LogFile.open(path)
      try log.waitForIndex()
    } catch {
      return "unreadable: \(error)".replacing(path, with: "LOG")
    }
    let timeline = Timeline(log)
    var progress: [Int] = []
    var text = Self.text {
      let report = try session.app.verifyHere(timeline, options: session.options) { done, _ in
        progress.append(done)
      }
      return report.text + JSON(message: report).pretty()
    }
    text += "\nprogress \(progress)\n--- update\n"
    text += Self.text {
      let written = folder.path("updated-\(index).jsonl")
      let update = RecordingUpdate(
        of: timeline, in: session.app, options: session.options)
      let result = try update.write(to: written)
      let lines = try String(contentsOfFile: written, encoding: .utf8)
      return "\(result.changedSteps) of \(result.steps)\n\(lines)"
    }
    if index.isMultiple(of: 3) {
      text += "\n--- recorded again\n"
      text += Self.text {
        let written = folder.path("recorded-\(index).jsonl")
        let update = RecordingUpdate(
          of: timeline, in: session.app, options: session.options)
        let count = try update.rerecord(to: written)
        return try "\(count)\n\(String(contentsOfFile: written, encoding: .utf8))"
      }
    }
    text += "\n--- fork\n"
    text += Self.text {
      let first = session.stepCount / 3
      let fork = try Fork.redispatching(
        first..<first + 12, of: timeline, in: session.app, droppingOrphans: index.isMultiple(of: 2))
      defer { fork.end() }
      let steps = fork.steps.map { "\(Frozen.ForkStep($0))" }.joined(separator: "\n")
      let comparison = try fork.compare()
      return
        "\(steps)\n\(fork.model)\n\(comparison.first.map { "\($0)" } ?? "same")\n\(comparison.final)"
    }
    return normalized(text.replacing(path, with: "LOG").replacing(folder.url.path, with: "FOLDER"))
  }

  private static func text(_ body: () throws -> String) -> String {
    do {
      return try body()
    } catch {
      return "error: \(error)"
    }
  }

  /// Numbers new tokens in the order in which they appear, and drops the identities of new logs and the sums over them.
  private static func normalized(_ text: String) -> String {
    var tokens: [Substring: Int] = [:]
    return text.replacing(/<redacted ([0-9a-f]{16})>/) { match in
      if match.1.hasPrefix("000000000000") { return String(match.0) }
      let number = tokens[match.1] ?? tokens.count
      tokens[match.1] = number
      return "<redacted new \(number)>"
    }
    .replacing(/"log":"[0-9A-F-]{36}"/, with: #""log":"NEW""#)
    .replacing(/,"sum":"[0-9a-f]{8}"/, with: "")
  }
}

/// Steps as they were described when the digests were made: their action was a stored member.
private enum Frozen {
  struct ForkStep {
    let number: UInt64
    let time: LogTime
    let action: JSON
    let target: String?
    let cause: UInt64?
    let effect: String?
    let from: String?
    let rejection: LogRejection?
    let changed: [String]
    let effects: [String]
    let storeEffects: [StoreEffects]
    let repeats: UInt64?
    let isOrphan: Bool

    init(_ step: FluxReplay.ForkStep) {
      (number, time, action, target) = (step.number, step.time, step.action, step.target)
      (cause, effect, from, rejection) = (step.cause, step.effect, step.from, step.rejection)
      (changed, effects, storeEffects) = (step.changed, step.effects, step.storeEffects)
      (repeats, isOrphan) = (step.repeats, step.isOrphan)
    }
  }
}
