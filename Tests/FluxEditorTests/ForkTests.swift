import Counter
import FluxJSON
import TestFixtures
import Testing

@Suite struct ForkTests {
  static let lines = [
    #"{"flux":"1.1","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"app":{"name":"Counter","version":"1.0"},"stores":{"counter":{"type":"Counter","initial":{"count":0}}}}"#,
    #"{"n":1,"t":0.100000,"action":{"type":"counter/add","payload":{"amount":2}},"at":"Shop/Cart.swift:2","states":{"counter":{"count":2}}}"#,
    #"{"n":2,"t":0.200000,"action":{"type":"counter/double"}}"#,
    #"{"n":3,"t":0.200000,"action":{"type":"counter/add","payload":{"amount":2}},"target":"counter","cause":2,"states":{"counter":{"count":4}}}"#,
    #"{"n":4,"t":0.300000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":6}}}"#,
    #"{"end":{"steps":4,"ok":true}}"#,
  ]

  let shop: RecordedShop
  let client: DebugClient

  init() throws {
    shop = try RecordedShop(Self.lines)
    client = try DebugClient(app: { _ in CounterApp() })
  }

  private func launch(at position: Int64) throws {
    try client.launch(
      shop.arguments(["app": "counter", "position": .init(integerLiteral: position)]))
  }

  private func evaluate(_ text: String, frame: JSON? = nil) throws -> String {
    let arguments = JSON(writing: { writer in
      writer.beginObject()
      writer.member("expression", text)
      writer.member("context", "repl")
      writer.member("frameId", frame)
      writer.endObject()
    })
    return try client.ask("evaluate", arguments)["result"]?.string ?? ""
  }

  @Test("a launch with an app offers to restart frames and to set variables; one without does not")
  func capabilities() throws {
    try launch(at: 3)
    let event = try client.event("capabilities")
    #expect(
      event == ["capabilities": ["supportsSetVariable": true, "supportsRestartFrame": true]])
    #expect(try client.frames().first?["canRestart"] == true)
    let plain = try DebugClient()
    try plain.launch(shop.arguments(["position": 3]))
    let frame = try #require(try plain.frames().first?["id"])
    #expect(
      try plain.refusal("restartFrame", ["frameId": frame])
        == "this replays actions, which needs the app; name its executable as \"app\" in the launch"
    )
  }

  @Test("restarting a frame forks before its step, dispatches it again and stops there")
  func restart() throws {
    try launch(at: 3)
    let cause = try #require(try client.frames().last?["id"])
    try client.ask("restartFrame", ["frameId": cause])
    let started = try client.event("thread")
    #expect(started == ["reason": "started", "threadId": 2])
    #expect(try client.stop(2) == "restart: 2 counter/double")
    #expect(
      try client.ask("threads")["threads"]?.elements.map { $0["name"]?.string } == [
        "Counter (shop.jsonl)", "fork 1 after step 1",
      ])
    #expect(try client.move("stepIn", thread: 2) == "step: 3 counter/add")
    #expect(try client.variables("counter", thread: 2) == ["count = 4"])
    #expect(try client.move("stepIn", thread: 2) == "end: 3 counter/add")
    #expect(try client.move("stepOut", thread: 2) == "step: 2 counter/double")
    #expect(try client.move("stepBack", thread: 2) == "step: start of the fork, after step 1")
    #expect(try client.frames(1).first?["name"] == "3 counter/add")
    #expect(try client.move("stepIn") == "step: 4 counter/add")
    #expect(try client.frames(2).first?["name"] == "start of the fork, after step 1")
  }

  @Test("continue on the fork of a restarted frame dispatches the rest of the recording")
  func continueAfterRestart() throws {
    try launch(at: 3)
    let cause = try #require(try client.frames().last?["id"])
    try client.ask("restartFrame", ["frameId": cause])
    #expect(try client.stop(2) == "restart: 2 counter/double")
    #expect(
      client.output.last
        == "to dispatch the recorded steps after step 2 again, continue on fork 1\n")
    try client.ask("setFunctionBreakpoints", ["breakpoints": [["name": "counter/add"]]])
    #expect(try client.move("continue", thread: 2) == "function breakpoint: 3 counter/add")
    #expect(try client.variables("counter", thread: 2) == ["count = 4"])
    #expect(try client.move("continue", thread: 2) == "function breakpoint: 4 counter/add")
    #expect(try client.variables("counter", thread: 2) == ["count = 5"])
    #expect(try client.move("continue", thread: 2) == "end: 4 counter/add")
    #expect(try client.frames(1).first?["name"] == "3 counter/add")

    try client.ask("restartFrame", ["frameId": cause])
    #expect(try client.stop(3) == "restart: 2 counter/double")
    try client.ask("setFunctionBreakpoints", ["breakpoints": []])
    #expect(try client.move("stepIn", thread: 3) == "step: 3 counter/add")
    let frame = try #require(try client.frames(3).first?["id"])
    _ = try evaluate(#"dispatch {"type":"counter/add","payload":{"amount":2}}"#, frame: frame)
    #expect(try client.stop(3) == "step: 4 counter/add")
    #expect(try client.move("continue", thread: 3) == "end: 4 counter/add")
    #expect(try client.variables("counter", thread: 3) == ["count = 6"])
  }

  @Test("a variable is set on a new fork, and a value that the app refuses is an error")
  func setVariable() throws {
    try launch(at: 1)
    let counter = try client.reference(of: "counter")
    #expect(
      try client.ask(
        "setVariable", ["variablesReference": counter, "name": "count", "value": "40"]) == [
          "value": "40", "type": "number", "variablesReference": 0,
        ])
    #expect(try client.event("thread") == ["reason": "started", "threadId": 2])
    #expect(try client.stop(2) == "entry: start of the fork, after step 1")
    #expect(try client.variables("counter", thread: 2) == ["count = 40"])
    #expect(try client.variables("counter") == ["count = 2"])
    let frame = try #require(try client.frames(2).first?["id"])
    _ = try evaluate(#"dispatch {"type":"counter/add","payload":{"amount":2}}"#, frame: frame)
    #expect(try client.stop(2) == "step: 2 counter/add")
    #expect(try client.variables("counter", thread: 2) == ["count = 42"])
    #expect(
      try client.refusal(
        "setVariable", ["variablesReference": counter, "name": "count", "value": "\"x\""]
      ).contains("no \"count\""))
    #expect(
      try client.refusal(
        "setVariable", ["variablesReference": counter, "name": "count", "value": "x"]
      ).hasPrefix("the value is not JSON: "))
    let action = try client.reference(of: "Action")
    #expect(
      try client.refusal(
        "setVariable", ["variablesReference": action, "name": "type", "value": "1"])
        == "type is not a part of a state, so it cannot be set")
    #expect(
      try client.refusal("setVariable", ["variablesReference": 0, "name": "count", "value": "1"])
        == "there are no variables 0")
    #expect(try client.ask("threads")["threads"]?.count == 2)
  }

  @Test("the console redispatches steps onto a fork, which is stepped through and dropped")
  func redispatch() throws {
    try launch(at: 4)
    let text = try evaluate("redispatch 1..4")
    #expect(text.contains("fork 1"))
    #expect(try client.event("thread") == ["reason": "started", "threadId": 2])
    #expect(try client.stop(2) == "entry: 1 counter/add")
    #expect(try client.frames(2).first?["source"]?["name"] == "Cart.swift")
    #expect(try client.move("next", thread: 2) == "step: 2 counter/double")
    #expect(try client.move("next", thread: 2) == "step: 4 counter/add")
    #expect(try client.variables("Changes", thread: 2) == ["counter.count = 4 -> 5"])
    try client.ask("setFunctionBreakpoints", ["breakpoints": [["name": "counter/double"]]])
    #expect(
      try client.move("reverseContinue", thread: 2) == "function breakpoint: 2 counter/double")
    #expect(try client.move("continue", thread: 2) == "end: 4 counter/add")
    let frame = try client.frames(2).first?["id"]
    #expect(try evaluate("back", frame: frame).contains("3 counter/add"))
    #expect(try client.stop(2) == "step: 3 counter/add")
    _ = try evaluate("drop 1")
    #expect(try client.event("thread") == ["reason": "exited", "threadId": 2])
    #expect(
      try client.refusal("stackTrace", ["threadId": 2])
        == "there is no thread 2; 1 is the recording")
  }

  @Test("divergences stop where the replay differs, with both values")
  func divergence() throws {
    try launch(at: 0)
    let set = try client.ask("setExceptionBreakpoints", ["filters": ["divergence"]])
    #expect(set["breakpoints"]?[0]?["verified"] == true)
    #expect(try client.move("continue") == "exception: 4 counter/add")
    let variables = try client.variables("Divergence")
    #expect(
      Array(variables.prefix(5)) == [
        #"kind = "different""#, #"store = "counter""#, #"path = "/counter/count""#,
        "recorded = 6", "replayed = 5",
      ])
    #expect(try client.ask("exceptionInfo", ["threadId": 1])["exceptionId"] == "divergence")
  }

  @Test("a step of a fork diverges where a store begins to differ from the recording")
  func forkDivergence() throws {
    try launch(at: 4)
    _ = try evaluate("redispatch 1..4")
    #expect(try client.stop(2) == "entry: 1 counter/add")
    try client.ask("setExceptionBreakpoints", ["filters": ["divergence", "gap"]])
    #expect(try client.move("continue", thread: 2) == "exception: 4 counter/add")
    #expect(
      try client.ask("exceptionInfo", ["threadId": 2]) == [
        "exceptionId": "divergence", "description": "Divergences: step 4", "breakMode": "always",
        "details": [
          "message": "counter is not as recorded after step 4", "typeName": "divergence",
        ],
      ])
    #expect(try client.move("continue", thread: 2) == "end: 4 counter/add")
    #expect(
      try client.move("reverseContinue", thread: 2) == "start: start of the fork, after step 0")
  }

  @Test("log points print on a fork at the steps that repeat recorded ones")
  func forkLogPoints() throws {
    try launch(at: 4)
    _ = try evaluate("redispatch 1..4")
    #expect(try client.stop(2) == "entry: 1 counter/add")
    try client.ask(
      "setBreakpoints",
      shop.breakpoints(
        "Shop/Cart.swift",
        [
          ["line": 2, "logMessage": "now {counter.count}"],
          ["line": 2, "condition": "counter.count > 9", "logMessage": "never"],
          ["line": 2, "hitCondition": "2", "logMessage": "never"],
        ]))
    let before = client.output.count
    #expect(try client.move("stepBack", thread: 2) == "step: start of the fork, after step 0")
    #expect(client.output.count == before)
    #expect(try client.move("continue", thread: 2) == "end: 4 counter/add")
    #expect(client.output.dropFirst(before) == ["1 counter/add: now 2\n"])
    #expect(
      try client.move("reverseContinue", thread: 2) == "start: start of the fork, after step 0")
    #expect(
      client.output.dropFirst(before) == ["1 counter/add: now 2\n", "1 counter/add: now 2\n"])
  }

  @Test("a step of a fork that repeats the first one after a gap is caught as that one is")
  func forkGap() throws {
    var lines = Self.lines
    lines[2...3] = [#"{"gap":{"from":2,"to":3,"why":"paused"}}"#]
    let shop = try RecordedShop(lines)
    let client = try DebugClient(app: { _ in CounterApp() })
    try client.launch(shop.arguments(["app": "counter", "position": 4]))
    let frame = try #require(try client.frames().first?["id"])
    try client.ask("restartFrame", ["frameId": frame])
    #expect(try client.stop(2) == "restart: 2 counter/add")
    try client.ask("setExceptionBreakpoints", ["filters": ["gap"]])
    #expect(
      try client.move("stepBack", thread: 2) == "step: start of the fork, after step 1")
    #expect(try client.move("continue", thread: 2) == "exception: 2 counter/add")
  }
}
