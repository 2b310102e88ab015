import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import Testing

/// An app whose answers a test sets.
struct ScriptedApp: ReplayApp {
  var description = AppDescription(
    stores: [.init(name: "count")], actionTypes: ["count"], tells: [.effects, .cancels, .messages])
  var restarts = true
  let answer: @Sendable ([ReplayAction]) throws(ReplayFailure) -> [ReplayedStep]

  func describe() -> AppDescription { description }

  func start(_ start: SessionStart) -> any ReplaySession { Session(answer: answer) }

  private final class Session: ReplaySession {
    private let answer: @Sendable ([ReplayAction]) throws(ReplayFailure) -> [ReplayedStep]

    init(answer: @escaping @Sendable ([ReplayAction]) throws(ReplayFailure) -> [ReplayedStep]) {
      self.answer = answer
    }

    func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
      try answer(actions)
    }

    func states() -> StoreDictionary<JSON> { ["count": 0] }

    func upcast(_ states: [RecordedState]) -> [JSON] {
      Issue.record("asked to bring into today's form what is in it: \(states)")
      return states.map(\.state)
    }

    func end() {}
  }
}

/// A log written by a test, without checksums.
struct WrittenLog {
  let path: String

  /// `members` follow those of every header.
  init(
    _ lines: [String], version: String = "1.0", prefix: String = "", members: String = ""
  ) throws {
    let header =
      #"{"flux":"\#(version)","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"#
      + #""stores":{"count":{"initial":0}}\#(members)}"#
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "flux-replay-\(UUID().uuidString).jsonl").path
    try ([prefix + header] + lines).map { $0 + "\n" }.joined()
      .write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Opens the log and removes its name.
  func open() throws -> Timeline {
    let log = try LogFile.open(path)
    try log.waitForIndex()
    try FileManager.default.removeItem(atPath: path)
    return Timeline(log)
  }
}
