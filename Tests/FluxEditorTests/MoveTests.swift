import FluxJSON
import TestFixtures
import Testing

@Suite struct MoveTests {
  let shop: RecordedShop
  let client: DebugClient

  init() throws {
    shop = try RecordedShop()
    client = try DebugClient()
  }

  @Test("a launch stops at the start, and each move where the recording says")
  func moves() throws {
    let stopped = try client.launch(shop.arguments())
    #expect(stopped == ["reason": "entry", "threadId": 1, "allThreadsStopped": false])
    #expect(try client.move("stepIn") == "step: 1 cart/add")
    #expect(try client.move("next") == "step: 4 cart/add")
    #expect(try client.move("stepBack") == "step: 3 cart/noted")
    #expect(try client.move("stepOut") == "step: 2 cart/saved")
    #expect(try client.move("stepOut") == "step: 1 cart/add")
    #expect(try client.move("stepOut") == "step: 1 cart/add")
    #expect(client.output.last == "no step of the log caused step 1\n")
    #expect(try client.move("continue") == "end: 8 cart/clear")
    #expect(try client.move("stepIn") == "end: 8 cart/clear")
    #expect(try client.move("reverseContinue") == "start: start")
    #expect(try client.move("stepBack") == "start: start")
  }

  @Test("responses come before the stops that they lead to")
  func order() throws {
    try client.launch(shop.arguments())
    _ = try client.move("stepIn")
    let names = client.all.suffix(3).compactMap { ($0["event"] ?? $0["command"])?.string }
    #expect(names == ["stepIn", "stopped", "stackTrace"])
  }

  @Test("the stack is the chain of causes, with the lines that dispatched its steps")
  func stack() throws {
    try client.launch(shop.arguments(["position": 3]))
    let frames = try client.frames()
    #expect(frames.map { $0["name"]?.string } == ["3 cart/noted", "2 cart/saved", "1 cart/add"])
    #expect(frames.map { $0["line"]?.number?.int64 } == [5, 5, 2])
    #expect(
      frames.map { $0["source"]?["path"]?.string } == [
        shop.source("Shop/Store.swift"), shop.source("Shop/Store.swift"),
        shop.source("Shop/Cart.swift"),
      ])
    let page = try client.ask("stackTrace", ["threadId": 1, "startFrame": 1, "levels": 1])
    #expect(page["stackFrames"]?[0]?["name"]?.string == "2 cart/saved")
    #expect(page["totalFrames"] == 3)
  }

  @Test("a step without a source that is found shows its line of the log")
  func virtualSource() throws {
    try client.launch(shop.arguments(["position": "7"]))
    let frames = try client.frames()
    let source = try #require(frames.first?["source"])
    #expect(source["path"]?.string?.hasSuffix("/shop.jsonl/step-7.json") == true)
    #expect(source["origin"]?.string?.hasPrefix("Gone/Lost.swift is not below ") == true)
    let reference = try #require(source["sourceReference"])
    let body = try client.ask(
      "source", ["sourceReference": reference, "source": ["sourceReference": reference]])
    #expect(body["content"]?.string?.hasPrefix("{\n  \"n\": 7,") == true)
    #expect(frames[1]["name"]?.string == "6 search/open")
    #expect(frames[1]["source"]?["origin"]?.string == "the line of the log")
  }

  @Test("goto goes to a step that the line dispatched")
  func goto() throws {
    try client.launch(shop.arguments(["position": 4]))
    let targets = try client.ask(
      "gotoTargets",
      ["source": ["path": .init(stringLiteral: shop.source("Shop/Cart.swift"))], "line": 2])
    #expect(
      targets["targets"]?.elements.map { $0["label"]?.string } == [
        "step 1 cart/add", "step 4 cart/add", "step 5 cart/add",
      ])
    let target = try #require(targets["targets"]?[2]?["id"])
    #expect(try client.move("goto", ["targetId": target]) == "goto: 5 cart/add")
  }

  @Test("lines count from 0 for a client that does so")
  func zeroBased() throws {
    try client.launch(
      shop.arguments(["position": 1]),
      initialize: ["adapterID": "flux", "linesStartAt1": false, "columnsStartAt1": false])
    #expect(try client.frames().first?["line"] == 1)
    #expect(try client.frames().first?["column"] == 0)
    let locations = try client.ask(
      "breakpointLocations",
      [
        "source": ["path": .init(stringLiteral: shop.source("Shop/Cart.swift"))], "line": 0,
        "endLine": 10,
      ])
    #expect(locations == ["breakpoints": [["line": 1], ["line": 3]]])
  }

  @Test("a launch without stopOnEntry goes to the first breakpoint")
  func withoutEntry() throws {
    try client.ask("initialize", ["adapterID": "flux"])
    try client.ask("launch", shop.arguments(["stopOnEntry": false]))
    try client.ask(
      "setFunctionBreakpoints", ["breakpoints": [["name": "search/*"]]])
    try client.ask("configurationDone")
    #expect(try client.stop() == "function breakpoint: 6 search/open")
  }
}
