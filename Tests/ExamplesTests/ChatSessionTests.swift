import ChatExample
import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite(.hangLimit) struct ChatSessionTests {
  /// The log of a session of some rounds.
  private func record(_ rounds: Int, to url: URL) async throws {
    var options = Recorder.Options()
    options.app = .init(name: "Chat", version: "1.0")
    options.log.overflow = .block
    let recorder = Recorder(to: url, options: options)
    let session = await ChatSession(seed: 20_261_123, recorder: recorder)
    await session.run(rounds: rounds)
    try recorder.close()
  }

  /// The lines of a log without its header, its sums and the digits of its tokens.
  private func lines(_ url: URL) throws -> [String] {
    var tokens: [Substring: Int] = [:]
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst().map {
      String($0).replacing(/,"sum":"[0-9a-f]{8}"}$/, with: "}").replacing(/<redacted [0-9a-f]{16}>/)
      {
        let number = tokens[$0.output, default: tokens.count + 1]
        tokens[$0.output] = number
        return "<\(number)>"
      }
    }
  }

  @Test("the same session has the same log, which has no secret in it and replays")
  func deterministic() async throws {
    let folder = try TemporaryFolder()
    let isLong = ProcessInfo.processInfo.environment["FLUX_SOAK"] != nil
    for name in ["a", "b"] { try await record(isLong ? 400 : 40, to: folder.url(name)) }
    #expect(try lines(folder.url("a")) == lines(folder.url("b")))
    #expect(try !folder.text(of: "a").contains(/open-sesame|access \d|refresh \d/))
    let replayer = AppDefinition { makeChat(service: LocalServer()) }
    let report = try await replayer.verify(try LogFile.open(folder.path("a")))
    #expect(report.verdict == .passed, "\(report.text)")
  }

  @Test("the recorded session verifies; that of the app that counted its own messages does not")
  func recordings() async throws {
    let replayer = AppDefinition { makeChat(service: LocalServer()) }
    var places: [String: [String]] = [:]
    for name in ["chat", "chat-diverged", "chat-long"] {
      let recordings = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Recordings").standardized
      let log = try LogFile.open(recordings.appending(path: "\(name).jsonl").path())
      let report = try await replayer.verify(log)
      places[name] = report.divergences.map { "\($0.step) \($0.path?.description ?? "")" }
    }
    #expect(
      places == [
        "chat": [], "chat-long": [], "chat-diverged": ["39 /inbox/conversations/0/unread"],
      ])
  }

  /// `FLUX_CHAT_LOG=chat-long.jsonl` names the file; the recording in the project has 340 rounds.
  @Test(
    "a long session is recorded for the benchmarks",
    .enabled(if: ProcessInfo.processInfo.environment["FLUX_CHAT_LOG"] != nil))
  func long() async throws {
    let path = try #require(ProcessInfo.processInfo.environment["FLUX_CHAT_LOG"])
    try await record(340, to: URL(filePath: path))
  }
}
