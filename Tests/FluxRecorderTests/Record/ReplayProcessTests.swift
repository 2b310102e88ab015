import Foundation
import TestFixtures
import Testing

/// An app that an inspector starts to replay its log, and that does not serve.
@Suite struct ReplayProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs an app that records one step, and does not serve; returns what it writes to standard error.
  private func record(_ environment: [String: String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProduct.path("FaultSubject"))
    process.arguments = [
      folder.path("log.jsonl"), "synced", "0", "1", "1000", "written", "0",
    ]
    process.environment = environment
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  @Test("it leaves the log alone, and says what is missing")
  func leavesLogAlone() throws {
    try folder.write("a log".utf8, to: "log.jsonl")
    let errors = try record(["FLUX_REPLAY_HOST": "stdio"])
    #expect(try folder.names() == ["log.jsonl"])
    #expect(try folder.text(of: "log.jsonl") == "a log")
    #expect(errors.contains("the first statement of the app must be ReplayHost.runIfRequested"))
  }

  @Test("the same app records otherwise")
  func records() throws {
    try folder.write("a log".utf8, to: "log.jsonl")
    #expect(try record([:]) == "")
    #expect(try folder.text(of: "log~1.jsonl") == "a log")
    #expect(try folder.text(of: "log.jsonl").contains(#""type":"note/write""#))
  }
}
