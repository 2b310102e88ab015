import FluxJSON
import TestFixtures
import Testing

@Suite struct BreakpointTests {
  let shop: RecordedShop
  let client: DebugClient

  init() throws {
    shop = try RecordedShop()
    client = try DebugClient()
  }

  @Test("a source breakpoint stops at the steps that its line dispatched, either way")
  func source() throws {
    try client.launch(shop.arguments())
    let set = try client.ask(
      "setBreakpoints", shop.breakpoints("Shop/Cart.swift", [["line": 2], ["line": 3]]))
    let answers = try #require(set["breakpoints"])
    #expect(answers[0]?["verified"] == true)
    #expect(answers[1]?["verified"] == false)
    #expect(
      answers[1]?["message"]?.string
        == "no step was dispatched on line 3; lines near it are 2, 4")
    #expect(try client.move("continue") == "breakpoint: 1 cart/add")
    #expect(try client.move("continue") == "breakpoint: 4 cart/add")
    #expect(try client.move("continue") == "breakpoint: 5 cart/add")
    #expect(try client.move("continue") == "end: 8 cart/clear")
    #expect(try client.move("reverseContinue") == "breakpoint: 5 cart/add")
    let stops = client.all.filter { $0["event"]?.string == "stopped" }
    #expect(stops.last?["body"]?["hitBreakpointIds"] == [try #require(answers[0]?["id"])])
  }

  @Test(
    "a file of the same name is not the file, and an ambiguous one is named with its candidates")
  func otherFiles() throws {
    try client.launch(shop.arguments())
    let other = try client.ask(
      "setBreakpoints", shop.breakpoints("Other/Cart.swift", [["line": 2]]))
    #expect(
      other["breakpoints"]?[0]?["message"]?.string == "Shop/Cart.swift is another file of that name"
    )
  }

  @Test("of two lines that are as near, the first is named")
  func nearest() throws {
    let steps = (1...8).map { number in
      #"{"n":\#(number),"t":1.000000,"action":{"type":"a"},"at":"Shop/Cart.swift:\#(2 * number)"}"#
    }
    let shop = try RecordedShop([RecordedShop.header] + steps + [RecordedShop.end])
    try client.launch(shop.arguments())
    let set = try client.ask(
      "setBreakpoints",
      shop.breakpoints(
        "Shop/Cart.swift", [["line": 5], ["line": 7], ["line": 9], ["line": 11], ["line": 13]]))
    #expect(
      set["breakpoints"]?.elements.map { $0["message"]?.string ?? "" } == [
        "no step was dispatched on line 5; lines near it are 2, 4, 6",
        "no step was dispatched on line 7; lines near it are 4, 6, 8",
        "no step was dispatched on line 9; lines near it are 6, 8, 10",
        "no step was dispatched on line 11; lines near it are 8, 10, 12",
        "no step was dispatched on line 13; lines near it are 10, 12, 14",
      ])
  }

  @Test("the folder of a module is told by its name, else by the launch")
  func modules() throws {
    let lines = [
      RecordedShop.header,
      #"{"n":1,"t":0.500000,"action":{"type":"a"},"at":"ShopApp/Cart.swift:2"}"#,
      #"{"end":{"steps":1,"ok":true}}"#,
    ]
    let shop = try RecordedShop(lines)
    try client.launch(shop.arguments(["position": 1]))
    let problem =
      "ShopApp/Cart.swift may be \(shop.source("Other/Cart.swift")) or "
      + "\(shop.source("Shop/Cart.swift")); name the folder of its module in sourceMap"
    #expect(try client.frames().first?["source"]?["origin"]?.string == problem)
    _ = try client.move("stepBack")
    _ = try client.move("stepIn")
    #expect(client.output.filter { $0 == problem + "\n" }.count == 1)
    let mapped = try DebugClient()
    try mapped.launch(
      shop.arguments([
        "position": 1,
        "sourceMap": ["ShopApp": .init(stringLiteral: shop.source("Other"))],
      ]))
    #expect(
      try mapped.frames().first?["source"]?["path"]?.string == shop.source("Other/Cart.swift"))
  }

  @Test("conditions are expressions, and hits count from the first step whichever way a move comes")
  func conditions() throws {
    try client.launch(shop.arguments())
    try client.ask(
      "setBreakpoints",
      shop.breakpoints(
        "Shop/Cart.swift", [["line": 2, "condition": "$.action.payload.product == 'cup'"]]))
    #expect(try client.move("continue") == "breakpoint: 5 cart/add")
    try client.ask(
      "setBreakpoints", shop.breakpoints("Shop/Cart.swift", [["line": 2, "hitCondition": "2"]]))
    #expect(try client.move("reverseContinue") == "breakpoint: 4 cart/add")
    #expect(try client.move("reverseContinue") == "start: start")
    try client.ask(
      "setBreakpoints", shop.breakpoints("Shop/Cart.swift", [["line": 2, "hitCondition": ">= 2"]]))
    #expect(try client.move("continue") == "breakpoint: 4 cart/add")
    #expect(try client.move("continue") == "breakpoint: 5 cart/add")
    let wrong = try client.ask(
      "setBreakpoints",
      shop.breakpoints(
        "Shop/Cart.swift",
        [
          ["line": 2, "hitCondition": "often"], ["line": 2, "condition": "a =="],
          ["line": 2, "logMessage": "now {1+}"],
        ]))
    let answers = try #require(wrong["breakpoints"])
    #expect(
      answers[0]?["message"]?.string
        == "\"often\" is not a hit condition; write 3, ==3, >3, >=3 or %3")
    #expect(answers[1]?["verified"] == false)
    #expect(answers[1]?["message"]?.string?.isEmpty == false)
    #expect(answers[2]?["verified"] == false)
    #expect(answers[2]?["message"]?.string?.hasPrefix("{1+} of the log message: ") == true)
  }

  @Test("log points name their step, print paths, and do not stop")
  func logPoints() throws {
    try client.launch(shop.arguments())
    try client.ask(
      "setBreakpoints",
      shop.breakpoints(
        "Shop/Cart.swift",
        [["line": 2, "logMessage": "{$.action.payload.product} makes {cart.total}, {cart.none}"]]))
    #expect(try client.move("continue") == "end: 8 cart/clear")
    #expect(
      Array(client.output.dropFirst()) == [
        "1 cart/add: \"tea\" makes 480, {cart.none: nothing}\n",
        "4 cart/add: \"\" makes 480, {cart.none: nothing}\n",
        "5 cart/add: \"cup\" makes 2980, {cart.none: nothing}\n",
      ])
    #expect(try client.move("reverseContinue") == "start: start")
    #expect(client.output.last == "1 cart/add: \"tea\" makes 480, {cart.none: nothing}\n")
    #expect(client.output.count == 7)
  }

  @Test("function breakpoints are globs, and data breakpoints are paths")
  func functionsAndData() throws {
    try client.launch(shop.arguments(["position": 1]))
    let functions = try client.ask(
      "setFunctionBreakpoints",
      [
        "breakpoints": [
          ["name": "search/*", "hitCondition": "2"], ["name": "cart/ad"],
        ]
      ])
    #expect(functions["breakpoints"]?[0]?["verified"] == true)
    #expect(
      functions["breakpoints"]?[1]?["message"]?.string
        == "no action of the log matches cart/ad; did you mean cart/add?")
    #expect(try client.move("continue") == "function breakpoint: 7 search/type")
    try client.ask("setFunctionBreakpoints", ["breakpoints": []])

    let cart = try client.reference(of: "cart")
    let info = try client.ask(
      "dataBreakpointInfo", ["variablesReference": cart, "name": "total"])
    #expect(
      info == ["dataId": "cart.total", "description": "cart.total", "accessTypes": ["write"]])
    let action = try client.reference(of: "Action")
    #expect(
      try client.ask("dataBreakpointInfo", ["variablesReference": action, "name": "type"])["dataId"]
        == .null)
    try client.ask("setDataBreakpoints", ["breakpoints": [["dataId": "cart.total"]]])
    #expect(try client.move("continue") == "data breakpoint: 8 cart/clear")
    #expect(try client.move("reverseContinue") == "data breakpoint: 5 cart/add")
  }

  @Test("the end of a move at a data breakpoint tells the values before and after the step")
  func changedValue() throws {
    try client.launch(shop.arguments())
    try client.ask("setDataBreakpoints", ["breakpoints": [["dataId": "cart.total"]]])
    try client.ask("continue", ["threadId": 1])
    #expect(
      try client.event("stopped")["description"] == "watchpoint cart.total: 0 -> 480")
  }

  @Test("a data breakpoint on a value that is absent here is verified, and its message says so")
  func absentValue() throws {
    try client.launch(shop.arguments())
    let set = try client.ask(
      "setDataBreakpoints", ["breakpoints": [["dataId": "cart.lines[0]"]]])
    #expect(set["breakpoints"]?[0]?["verified"] == true)
    #expect(
      set["breakpoints"]?[0]?["message"]?.string?.contains("no path cart.lines[0] at step 0")
        == true)
    #expect(try client.move("continue") == "data breakpoint: 1 cart/add")
  }

  @Test("a condition on what only some steps have leaves a breakpoint verified")
  func conditionsOnSteps() throws {
    try client.launch(shop.arguments())
    for (condition, stop) in [
      ("$.rejected", "4 cart/add"), ("$.cause == 1", "2 cart/saved"),
      ("$.action.payload.product == 'cup'", "5 cart/add"),
    ] {
      let set = try client.ask(
        "setFunctionBreakpoints",
        ["breakpoints": [["name": "*", "condition": .init(stringLiteral: condition)]]])
      #expect(set["breakpoints"]?[0]?["verified"] == true)
      #expect(set["breakpoints"]?[0]?["message"] == nil)
      #expect(try client.move("continue") == "function breakpoint: \(stop)")
      #expect(try client.move("reverseContinue") == "start: start")
    }
  }

  @Test("exception filters stop at rejections, gaps and damage, and say what happened")
  func exceptions() throws {
    try client.launch(shop.arguments())
    let set = try client.ask(
      "setExceptionBreakpoints", ["filters": ["rejected", "divergence"]])
    #expect(set["breakpoints"]?[0]?["verified"] == true)
    #expect(set["breakpoints"]?[1]?["verified"] == false)
    #expect(try client.move("continue") == "exception: 4 cart/add")
    #expect(
      try client.ask("exceptionInfo", ["threadId": 1]) == [
        "exceptionId": "rejected", "description": "Rejected steps: step 4", "breakMode": "always",
        "details": ["message": "refused: a product is needed", "typeName": "rejected"],
      ])
    _ = try client.move("stepIn")
    #expect(
      try client.refusal("exceptionInfo", ["threadId": 1])
        == "thread 1 has not stopped at an exception")
    #expect(
      try client.refusal("setExceptionBreakpoints", ["filters": ["fire"]])
        == "fire is not an exception filter; the filters are rejected, gap, damaged, divergence")
  }

  @Test("damaged lines and missing steps stop, each by its filter")
  func damage() throws {
    var lines = [RecordedShop.header] + RecordedShop.steps + [RecordedShop.end]
    lines[3] = #"{"n":3,"t":1.25,"#
    let shop = try RecordedShop(lines)
    try client.launch(shop.arguments())
    try client.ask("setExceptionBreakpoints", ["filters": ["damaged"]])
    #expect(try client.move("continue") == "exception: 4 cart/add")
    #expect(try client.move("continue") == "end: 8 cart/clear")
    try client.ask("setExceptionBreakpoints", ["filters": ["gap"]])
    #expect(try client.move("reverseContinue") == "exception: 4 cart/add")
  }

  @Test("states that an imported file does not contain are no damage")
  func imported() throws {
    var lines = [RecordedShop.header] + RecordedShop.steps + [RecordedShop.end]
    lines.insert(#"{"gap":{"from":3,"to":2,"why":"imported"}}"#, at: 3)
    let shop = try RecordedShop(lines)
    try client.launch(shop.arguments())
    try client.ask("setExceptionBreakpoints", ["filters": ["damaged"]])
    #expect(try client.move("continue") == "end: 8 cart/clear")
    try client.ask("setExceptionBreakpoints", ["filters": ["gap"]])
    #expect(try client.move("reverseContinue") == "exception: 3 cart/noted")
  }

  @Test("breakpoints that are set before the launch are verified by events")
  func early() throws {
    try client.ask("initialize", ["adapterID": "flux"])
    let set = try client.ask(
      "setBreakpoints", shop.breakpoints("Shop/Cart.swift", [["line": 4]]))
    #expect(set["breakpoints"]?[0]?["verified"] == false)
    try client.ask("launch", shop.arguments())
    let changed = try client.event("breakpoint")
    #expect(changed["reason"] == "changed")
    #expect(changed["breakpoint"]?["id"] == set["breakpoints"]?[0]?["id"])
    #expect(changed["breakpoint"]?["verified"] == true)
    try client.ask("configurationDone")
    _ = try client.stop()
    #expect(try client.move("continue") == "breakpoint: 8 cart/clear")
  }

  @Test("a log that is followed verifies a breakpoint once its line dispatches")
  func following() throws {
    let lines = [RecordedShop.header] + RecordedShop.steps
    let shop = try RecordedShop(Array(lines[...5]))
    try client.ask("initialize", ["adapterID": "flux"])
    var arguments = shop.arguments()
    arguments = JSON(writing: { writer in
      writer.beginObject()
      for member in arguments.members {
        writer.member(member.name == "program" ? "log" : member.name, member.value)
      }
      writer.endObject()
    })
    try client.ask("attach", arguments)
    try client.ask("configurationDone")
    _ = try client.stop()
    let set = try client.ask(
      "setBreakpoints", shop.breakpoints("Shop/Cart.swift", [["line": 4]]))
    #expect(set["breakpoints"]?[0]?["verified"] == false)
    try shop.folder.append(lines[6...].joined(separator: "\n") + "\n", to: "shop.jsonl")
    #expect(try client.event("breakpoint")["breakpoint"]?["verified"] == true)
    #expect(try client.move("continue") == "breakpoint: 8 cart/clear")
  }
}
