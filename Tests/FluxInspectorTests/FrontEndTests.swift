import Counter
import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite struct FrontEndTests {
  private let folder: TemporaryFolder
  private let log: LogFile

  init() throws {
    folder = try TemporaryFolder()
    let lines = CounterRecording.diverging.map { $0 + "\n" }.joined()
    log = try LogFile.open(try folder.write(lines.utf8, to: "log.jsonl"))
  }

  @Test("a front end gets results as values, and sends them in its own form")
  func results() throws {
    var frontEnd = MessageFrontEnd(Session(log))
    for request: MessageFrontEnd.Request in [
      .open(step: 3), .state(store: "counter"), .changes,
      .writes(of: try Path("counter.count", dialect: .inspector)), .open(step: 99),
    ] {
      try frontEnd.receive(request)
    }
    #expect(
      frontEnd.lines == [
        #"{"step":3,"t":2,"action":{"type":"counter/add","payload":{"amount":2}},"changed":["counter"],"stopped":"goto"}"#,
        #"{"value":{"count":4}}"#,
        #"{"from":2,"to":3,"changes":[{"path":"/counter/count","op":"replace","old":2,"new":4}]}"#,
        #"{"path":"/counter/count","writes":[{"n":3,"type":"counter/add","value":4},{"n":1,"type":"counter/add","value":2},{"n":0,"value":0}]}"#,
        #"{"error":"there is no step 99; the log has steps 1 to 6"}"#,
      ])
  }

  @Test("a front end words the next steps after a divergence, and performs one without a command")
  func nextSteps() throws {
    var services = Services()
    services.app = CounterApp()
    var frontEnd = MessageFrontEnd(Session(log, services: services))
    try frontEnd.receive(.replay)
    guard case .open(let step)? = frontEnd.suggestions.first else {
      Issue.record("a divergence suggests to open its step first")
      return
    }
    try frontEnd.receive(.open(step: step))
    #expect(
      frontEnd.lines == [
        #""diverged""#,
        #"["Open step 5","Compare","Find the writes of /counter/count","More"]"#,
        #"{"step":5,"t":4,"action":{"type":"counter/add","payload":{"amount":3}},"changed":["counter"],"stopped":"goto"}"#,
      ])
  }

  @Test("a front end takes at most 60 lines, and none of them knows the command language")
  func size() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "MessageFrontEnd.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
    for word in ["Console", "Command(", ".command"] { #expect(!text.contains(word)) }
  }
}
