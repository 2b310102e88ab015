import Counter
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxAgent
@testable import FluxExchange

/// The tools that dispatch actions again, with an app in this process.
@Suite struct ReplayToolTests {
  static let header =
    #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"app":{"name":"Counter","version":"1.0"},"stores":{"counter":{"type":"Counter","initial":{"count":0}}}}"#
  static let steps = [
    #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"states":{"counter":{"count":2}}}"#,
    #"{"n":2,"t":2.000000,"action":{"type":"counter/double"}}"#,
    #"{"n":3,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":2}},"target":"counter","cause":2,"states":{"counter":{"count":4}}}"#,
    #"{"n":4,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":3}},"states":{"counter":{"count":7}}}"#,
  ]

  private let folder: TemporaryFolder
  private let client: AgentClient

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    func log(_ name: String, _ steps: [String]) throws {
      let lines = [Self.header] + steps + [#"{"end":{"steps":\#(steps.count),"ok":true}}"#, ""]
      try folder.write(lines.joined(separator: "\n"), to: "\(name).jsonl")
    }
    try log("counter", Self.steps)
    try log(
      "wrong", Self.steps.dropLast() + [Self.steps[3].replacingOccurrences(of: ":7", with: ":70")])
    client = AgentClient(
      AgentClient.world(
        [folder.path("counter.jsonl"), folder.path("wrong.jsonl")], folder, app: CounterApp()))
  }

  @Test("verify reports the first divergence, and recordings its verdict")
  func verify() throws {
    #expect(
      try client.call("verify", ["log": "counter"])["reports"]?.elements.map(\.text) == [
        #"{"log":"counter.jsonl","verdict":"passed","steps":4,"divergences":[]}"#
      ])
    let both = try client.call("verify", ["folder": ""])["reports"]
    let wrong = try #require(both?.elements.first { $0["log"] == "wrong.jsonl" })
    #expect(wrong["verdict"] == "diverged")
    #expect(
      wrong["divergences"]?[0]?.text
        == #"{"step":4,"line":5,"kind":"different","store":"counter","path":"/counter/count","recorded":70,"replayed":7,"action":{"type":"counter/add","payload":{"amount":3}},"chain":[{"n":4,"type":"counter/add"}]}"#
    )
    let rows = try client.call("recordings", [:])["recordings"]
    #expect(Set(rows?.elements.map { $0["verdict"] } ?? []) == ["passed", "diverged"])
    #expect(
      try client.failure("verify", [:]).hasPrefix("verify: name either a log or a folder"))
  }

  @Test("what_if leaves out the results of effects that did not start, as redispatch does")
  func orphans() throws {
    let result =
      #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":3}},"cause":1,"effect":"load","states":{"counter":{"count":5}}}"#
    let last =
      #"{"n":3,"t":3.000000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":6}}}"#
    let lines = [Self.header, Self.steps[0], result, last, ""]
    try folder.write(lines.joined(separator: "\n"), to: "load.jsonl")
    let client = AgentClient(
      AgentClient.world([folder.path("load.jsonl")], folder, app: CounterApp()))
    let without = try client.call("what_if", ["log": "load", "from": 1, "skip": [1]])
    #expect(without["orphans"] == [2])
    #expect(without["changes"]?[0]?["new"] == 1)
    let kept = try client.call(
      "what_if", ["log": "load", "from": 1, "skip": [1], "keepOrphans": true])
    #expect(kept["orphans"] == [2])
    #expect(kept["changes"]?[0]?["new"] == 4)
  }

  @Test("states that the recorder left out are rebuilt by the app, and named without one")
  func rebuilt() throws {
    let lines =
      [Self.header] + Self.steps[..<2] + [
        #"{"n":3,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":2}},"target":"counter","cause":2,"unwritten":["counter"]}"#,
        Self.steps[3], "",
      ]
    try folder.write(lines.joined(separator: "\n"), to: "behind.jsonl")
    let path = folder.path("behind.jsonl")
    let withApp = AgentClient(AgentClient.world([path], folder, app: CounterApp()))
    let state = try withApp.call("state", ["log": "behind", "n": 3, "path": "counter.count"])
    #expect(state["value"] == 4)
    #expect(state["rebuilt"]?.text == #"{"stores":["counter"],"from":2}"#)
    #expect(
      state["notes"]?[0]
        == "counter: rebuilt by replay from step 2, because the recorder was behind")
    let step = try withApp.call("step", ["log": "behind", "n": 3])["difference"]
    #expect(
      step?["changes"]?.text == #"[{"path":"/counter/count","op":"replace","old":2,"new":4}]"#)
    let without = AgentClient(AgentClient.world([path], folder))
    #expect(
      try without.failure("state", ["log": "behind", "n": 3]) == """
        state: the state of counter is not written at step 3: the recorder was behind
        the nearest known states are those of steps 2 and 4; a server that was started with --app PATH rebuilds the \
        others by replay
        """)
  }

  @Test("states that an import lacks are rebuilt by the app")
  func imported() throws {
    let gap = #"{"gap":{"from":1,"to":0,"why":"imported"}}"#
    let step = #"{"n":1,"t":1,"action":{"type":"counter/add","payload":{"amount":2}}}"#
    try folder.write([Self.header, gap, step, ""].joined(separator: "\n"), to: "imported.jsonl")
    let client = AgentClient(
      AgentClient.world([folder.path("imported.jsonl")], folder, app: CounterApp()))
    let state = try client.call("state", ["log": "imported", "n": 1])
    #expect(state["value"]?.text == #"{"counter":{"count":2}}"#)
    #expect(state["rebuilt"]?.text == #"{"stores":["counter"],"from":0}"#)
    let difference = try client.call("step", ["log": "imported", "n": 1])["difference"]
    #expect(
      difference?["changes"]?.text
        == #"[{"path":"/counter/count","op":"replace","old":0,"new":2}]"#)
  }

  @Test("what_if makes a fork, which the reading tools read")
  func whatIf() throws {
    let answer = try client.call(
      "what_if", ["log": "counter.jsonl", "from": 1, "skip": [1], "then": "counter.count == 3"])
    #expect(answer["fork"] == 1)
    #expect(answer["holds"] == true)
    #expect(answer["same"] == false)
    #expect(
      answer["changes"]?.text == #"[{"path":"/counter/count","op":"replace","old":7,"new":3}]"#)
    let steps = try client.call("steps", ["log": "counter.jsonl", "fork": 1])["steps"]
    #expect(steps?.elements.map { $0["type"] } == ["counter/double", "counter/add", "counter/add"])
    let last = try #require(steps?[2]?["n"])
    #expect(
      try client.call(
        "state", ["log": "counter.jsonl", "fork": 1, "n": last, "path": "counter.count"])["value"]
        == 3)
    #expect(
      try client.call("who_wrote", ["log": "counter.jsonl", "fork": 1, "path": "counter.count"])[
        "writes"]?[0]?["value"]
        == 3)
    let second = try client.call(
      "what_if",
      [
        "log": "counter.jsonl", "from": 4,
        "replace": ["4": ["type": "counter/add", "payload": ["amount": 30]]],
      ])
    #expect(second["fork"] == 2)
    #expect(second["changes"]?[0]?["new"] == 34)
    #expect(
      try client.failure("state", ["log": "counter.jsonl", "n": 1, "fork": 9])
        == "state: 'counter.jsonl' has no fork 9; the forks are 1, 2")
    #expect(
      try client.failure("what_if", ["log": "counter.jsonl", "from": 1, "replace": ["x": 1]])
        == #"what_if: replace: 'x' is not a step number; expected {"17": {"type": …}}"#)
    for action: JSON in [5, "counter/add", [:], ["type": 7], ["payload": 1]] {
      #expect(
        try client.failure(
          "what_if", ["log": "counter.jsonl", "from": 1, "replace": ["1": action]])
          == #"what_if: an action is an object with a type: {"type":"todo/add"}"#)
    }
    #expect(
      try client.failure(
        "what_if",
        [
          "log": "counter.jsonl", "from": 1, "skip": [1],
          "replace": ["1": ["type": "counter/double"]],
        ]) == "what_if: step 1 is both left out and replaced; choose one of them")
    let typo = try client.call(
      "what_if", ["log": "counter.jsonl", "from": 4, "then": "counter.cuont == 7"])
    #expect(typo["holds"] == false)
    #expect(
      typo["notes"]?[0]?.string
        == "counter.cuont is neither at the start nor at the end of fork 3; did you mean counter.count?"
    )
    #expect(
      try client.failure("what_if", ["log": "counter.jsonl", "from": 0])
        == "what_if: step 0 is the state at the start; the first step to dispatch is later")
  }

  @Test("shrink keeps the actions that suffice")
  func shrink() throws {
    let answer = try client.call(
      "shrink", ["log": "counter.jsonl", "expression": "counter.count >= 5"])
    #expect(answer["result"]?["kept"] == [1, 4])
    #expect(
      try client.call("overview", ["log": "counter.jsonl", "fork": 1])["info"]?["steps"] == 2)
  }

  @Test("write_test answers with a source, and writes no file")
  func writeTest() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
    let answer = try client.call(
      "write_test",
      [
        "log": "counter.jsonl", "n": 4, "because": "it\nmust count\u{1b}",
        "expect": "counter.count",
      ])
    let source = try #require(answer["source"]?.string)
    #expect(source.hasPrefix("// it\\nmust count\\u{1b}\n// swift-format-ignore-file\n"))
    #expect(source.contains(#"let value = try session.value("counter.count")"#))
    #expect(source.contains("#expect(value == 7)"))
    #expect(answer["actions"] == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted() == before)
    #expect(
      try client.failure("write_test", ["log": "counter.jsonl", "n": 4, "module": "A\nimport B"])
        == #"write_test: module: 'A\u000aimport B' is not the name of a Swift module"#)
  }

  @Test("write_test takes the steps of a fork")
  func writeTestOfFork() throws {
    _ = try client.call(
      "what_if",
      [
        "log": "counter.jsonl", "from": 4,
        "replace": ["4": ["type": "counter/add", "payload": ["amount": 30]]],
      ])
    let steps = try client.call("steps", ["log": "counter.jsonl", "fork": 1])["steps"]
    let answer = try client.call(
      "write_test",
      [
        "log": "counter.jsonl", "n": try #require(steps?[0]?["n"]), "expect": "counter.count",
        "fork": 1,
      ])
    #expect(answer["actions"] == 1)
    #expect(answer["source"]?.string?.contains("#expect(value == 34)") == true)
    #expect(answer["notes"] == nil)
    #expect(
      try client.failure("write_test", ["log": "counter.jsonl", "n": 1, "fork": 2])
        == "write_test: 'counter.jsonl' has no fork 2; the forks are 1")
  }

  @Test("a test of a step that removes a feature expects that it is gone")
  func removedFeature() throws {
    let session = Session(try LogFile.open("\(AgentClient.recordings)/shop.jsonl"))
    let test = try session.standing(at: 16).testSource(TestRequest())
    #expect(
      test.source.contains("The actions up to step 17, session/expire, lead to the recorded states")
    )
  }

  @Test("a folder whose time is over goes on behind the last log")
  func lateFolder() throws {
    client.timeLimit = 0
    let (rows, pages) = try client.all("verify", ["folder": ""], "reports")
    #expect(pages == 2)
    #expect(Set(rows.map { $0["log"] }) == ["counter.jsonl", "wrong.jsonl"])
    for row in rows {
      #expect(row["problem"] == "not verified in time; verify it alone, as log")
    }
  }

  @Test("recordings has the verdict of a log that is no longer open")
  func verdictOfClosedLog() throws {
    let lines = ([Self.header] + Self.steps + [""]).joined(separator: "\n")
    let paths = try (1...9).map { try folder.write(lines, to: "more-\($0).jsonl") }
    let client = AgentClient(
      AgentClient.world([folder.path("wrong.jsonl")] + paths, folder, app: CounterApp()))
    _ = try client.call("verify", ["log": "wrong"])
    for number in 1...9 {
      _ = try client.call("overview", ["log": .init(stringLiteral: "more-\(number).jsonl")])
    }
    let rows = try client.call("recordings", [:])["recordings"]
    #expect(
      rows?.elements.first { $0["log"] == "wrong.jsonl" }?["verdict"] == "diverged")
  }

  @Test("the newest 16 forks of a log stay")
  func manyForks() throws {
    for number in 1...17 {
      #expect(
        try client.call("what_if", ["log": "counter.jsonl", "from": 4])["fork"]
          == .init(integerLiteral: Int64(number)))
    }
    let known = (2...17).map(String.init).joined(separator: ", ")
    #expect(
      try client.failure("overview", ["log": "counter.jsonl", "fork": 1])
        == "overview: 'counter.jsonl' has no fork 1; the forks are \(known); only the newest 16 are kept"
    )
    #expect(
      try client.call("overview", ["log": "counter.jsonl", "fork": 2])["info"]?["steps"] == 1)
  }

  // MARK: The running app

  /// An app that answers nothing until its call is stopped, or for ten seconds.
  private struct SilentApp: ReplayApp {
    let wasStopped: Monitor<Bool>
    let isStopped: @Sendable () -> Bool

    func describe() throws(ReplayFailure) -> AppDescription {
      for _ in 0..<2000 where !isStopped() {
        wasStopped.waitUntil(milliseconds: 5, { _ in false }) { _ in }
      }
      wasStopped.withLock { [isStopped] in $0 = isStopped() }
      throw ReplayFailure(.cancelled)
    }

    func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
      throw ReplayFailure(.cancelled)
    }
  }

  @Test("the limit of a call reaches a replay in the running app")
  func lateReplay() throws {
    let wasStopped = Monitor(false)
    let log = folder.path("counter.jsonl")
    var world = AgentClient.world([], folder)
    world.attach = { ShownApp(log, replay: SilentApp(wasStopped: wasStopped, isStopped: $0)) }
    world.timeLimit = 0.5
    let client = AgentClient(world)
    #expect(
      try client.failure("verify", ["log": "counter"]).hasPrefix("the call took longer than 0 s"))
    #expect(wasStopped.withLock { $0 })
  }
}
