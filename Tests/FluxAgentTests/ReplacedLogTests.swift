import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxAgent

/// Logs that are replaced while the server has them open: an agent records again, and asks again.
@Suite struct ReplacedLogTests {
  private let folder: TemporaryFolder
  private let client: AgentClient

  init() throws {
    folder = try TemporaryFolder()
    client = AgentClient(AgentClient.world([folder.path("")], folder))
  }

  private func record(_ type: String, to name: String = "log.jsonl") throws {
    try folder.write(
      """
      {"flux":"1.0","stores":{"a":{"initial":0}}}
      {"n":1,"t":0,"action":{"type":"\(type)"},"states":{"a":1}}
      {"end":{"steps":1,"ok":true}}

      """, to: name)
  }

  private func type(in log: String = "log.jsonl") throws -> String? {
    let arguments = JSON(object: [("log", JSON(stringLiteral: log)), ("n", 1)])
    return try client.call("step", arguments)["step"]?["type"]?.string
  }

  @Test("a log is found by its name, also if another one only looks the same")
  func accents() throws {
    try record("composed", to: "\u{E9}.jsonl")
    #expect(try type(in: "e\u{301}.jsonl") == "composed")
    try record("decomposed", to: "e\u{301}.jsonl")
    // The file system of a Mac takes both for one name.
    guard try folder.names().count(where: { $0.hasSuffix(".jsonl") }) == 2 else { return }
    #expect(try type(in: "e\u{301}.jsonl") == "decomposed")
    #expect(try type(in: "\u{E9}.jsonl") == "composed")
  }

  @Test("a log that was recorded again is opened again")
  func replaced() throws {
    try record("first")
    #expect(try type() == "first")
    let log = folder.path("log.jsonl")
    try FileManager.default.removeItem(atPath: log)
    try record("second")
    #expect(try type() == "second")
    // The same file, written anew.
    try record("third")
    try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: log)
    #expect(try type() == "third")
    try FileManager.default.removeItem(atPath: log)
    #expect(
      try client.failure("step", ["log": "log.jsonl", "n": 1])
        == "step: there is no log below the folders of this server")
  }

  @Test("a log that grows and is closed is read to its end")
  func grown() throws {
    let start = #"{"flux":"1.0","stores":{"a":{"initial":0}}}"# + "\n"
    try folder.write(start, to: "log.jsonl")
    #expect(try client.call("steps", ["log": "log.jsonl"])["steps"] == [])
    try folder.write(
      start + #"{"n":1,"t":0,"action":{"type":"x"}}"# + "\n" + #"{"end":{"steps":1,"ok":true}}"#
        + "\n",
      to: "log.jsonl")
    #expect(try type() == "x")
    #expect(try type() == "x")
  }
}
