import FluxJSON
import FluxLog
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxPage

@Suite struct LogGlanceTests {
  @Test("a link has the size and the condition of the log that it leads to")
  func link() throws {
    let folder = try TemporaryFolder()
    let text = #"{"flux":"1.1","log":"a","first":1,"stores":{}}"# + "\n"
    try folder.write(text + #"{"end":{"steps":0,"ok":true}}"# + "\n", to: "a.jsonl")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.jsonl"), withDestinationPath: "a.jsonl")
    let glances = ["a.jsonl", "link.jsonl"].map { LogGlance("a", folder.path($0), nil) }
    let answers = try glances.map { glance in
      let answer = try LogEncoder(order: .declaration).encode(glance)
      return "\(answer["bytes"] ?? .null) \(answer["condition"] ?? .null)"
    }
    #expect(answers == [#"77 "closed""#, #"77 "closed""#])
  }

  @Test("a log with a file of actions in flight is that of a crash, unless its recorder is alive")
  func inFlight() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"flux":"1.1","log":"a","first":1,"stores":{}}"# + "\n", to: "a.jsonl")
    try folder.write("", to: ".a.jsonl.inflight")
    func condition() throws -> JSON? {
      let glance = LogGlance("a", folder.path("a.jsonl"), nil)
      return try LogEncoder(order: .declaration).encode(glance)["condition"]
    }
    #expect(try condition() == "crashed")
    let recorder = try Descriptor(opening: folder.path("a.jsonl"), O_RDWR)
    #expect(try recorder.lock())
    #expect(try condition() == "open")
    recorder.unlock()
    #expect(try condition() == "crashed")
  }

  @Test("a log whose file of actions in flight has none is not that of a crash once it is open")
  func nothingInFlight() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"flux":"1.1","log":"a","first":1,"stores":{}}"# + "\n", to: "a.jsonl")
    try folder.write("", to: ".a.jsonl.inflight")
    let log = PageLog(try LogFile.open(folder.path("a.jsonl")))
    try log.log.waitForIndex()
    let answer = try LogEncoder(order: .declaration).encode(
      LogGlance("a", folder.path("a.jsonl"), log))
    #expect(answer["condition"] == "open")
  }

  @Test(
    "the end line of a closed log tells its steps, before the log is opened",
    arguments: [
      (#"{"end":{"steps":7,"ok":true},"sum":"00000000"}"# + "\n", #""closed" 7"#),
      (
        #"{"n":7,"t":0,"action":{"type":"a"}}"# + "\r\n" + #"{"end":{"steps":7,"ok":true}}"#
          + "\r\n\r\n", #""closed" 7"#
      ),
      (#"{"end":{"steps":7,"o"#, #""open" null"#),
      (#"{"n":1,"t":0,"action":{"type":"a"}}"# + "\n", #""open" null"#),
    ])
  func steps(_ last: String, _ expected: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"flux":"1.1","log":"a","first":1,"stores":{}}"# + "\n" + last, to: "a.jsonl")
    let answer = try LogEncoder(order: .declaration).encode(
      LogGlance("a", folder.path("a.jsonl"), nil))
    #expect("\(answer["condition"] ?? .null) \(answer["steps"] ?? .null)" == expected)
  }
}
