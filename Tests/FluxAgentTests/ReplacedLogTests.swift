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

  private func record(_ type: String) throws {
    try folder.write(
      """
      {"flux":"1.0","stores":{"a":{"initial":0}}}
      {"n":1,"t":0,"action":{"type":"\(type)"},"states":{"a":1}}
      {"end":{"steps":1,"ok":true}}

      """, to: "log.jsonl")
  }

  private func type() throws -> String? {
    try client.call("step", ["log": "log.jsonl", "n": 1])["step"]?["type"]?.string
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
