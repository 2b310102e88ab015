import FluxEditor
import FluxJSON
import TestFixtures
import Testing

@Suite struct ConsoleTests {
  let shop: RecordedShop
  let client: DebugClient

  init() throws {
    shop = try RecordedShop()
    client = try DebugClient()
  }

  private func run(_ line: String, frame: JSON? = nil) throws -> String {
    let arguments = JSON(writing: { writer in
      writer.beginObject()
      writer.member("expression", line)
      writer.member("context", "repl")
      writer.member("frameId", frame)
      writer.endObject()
    })
    return try client.ask("evaluate", arguments)["result"]?.string ?? ""
  }

  @Test("the console runs commands of the session, then values; a move there stops the thread")
  func commands() throws {
    try client.launch(shop.arguments(["position": 5]))
    #expect(try run("print cart.total") == "2980")
    #expect(try run("cart.lines[0].id") == #""tea""#)
    #expect(try run("count cart/*") == "6")
    #expect(try run("goto 3").hasPrefix("3 cart/noted"))
    #expect(try client.stop() == "goto: 3 cart/noted")
    #expect(try run("where").hasPrefix("#0 3 cart/noted at Shop/Store.swift:5"))
    #expect(try run("break search/*") == "1 breakpoint search/*")
    #expect(try client.move("continue") == "function breakpoint: 6 search/open")
    #expect(
      try client.refusal("evaluate", ["expression": "goto 99", "context": "repl"])
        == "there is no step 99; the log has steps 1 to 8")
    #expect(
      try client.refusal("evaluate", ["expression": "nonsense here", "context": "repl"]).isEmpty
        == false)
  }

  @Test("a command that does not move works at the frame, and leaves the thread where it is")
  func frames() throws {
    try client.launch(shop.arguments(["position": 3]))
    let root = try #require(try client.frames().last?["id"])
    #expect(try run("print $.n", frame: root) == "1")
    #expect(try client.frames().first?["name"] == "3 cart/noted")
    _ = try run("step", frame: root)
    #expect(try client.stop() == "step: 2 cart/saved")
  }

  @Test("lines are completed at the column of the cursor")
  func completions() throws {
    try client.launch(shop.arguments(["position": 5]))
    let body = try client.ask("completions", ["text": "print cart.t", "column": 13])
    #expect(
      body["targets"]?.elements.map(\.self) == [["label": "cart.total", "start": 7, "length": 6]])
    #expect(
      try client.ask("completions", ["text": "😀", "column": 99])["targets"]?.count == 0)
  }

  @Test("values are completed like commands, because the console takes both")
  func valueCompletions() throws {
    try client.launch(shop.arguments(["position": 5]))
    func labels(_ text: String) throws -> [String] {
      let column = JSON(integerLiteral: Int64(text.utf16.count + 1))
      let body = try client.ask(
        "completions", ["text": .init(stringLiteral: text), "column": column])
      return body["targets"]?.elements.compactMap { $0["label"]?.string } ?? []
    }
    let body = try client.ask("completions", ["text": "cart.", "column": 6])
    #expect(
      body["targets"]?.elements.map(\.self) == [
        ["label": "cart.lines", "start": 1, "length": 5],
        ["label": "cart.total", "start": 1, "length": 5],
      ])
    #expect(try Set(labels("c")).isSuperset(of: ["cart", "continue"]))
    #expect(try labels("length(cart.lines) > cart.t") == ["cart.total"])
    #expect(try labels("print cart.t") == ["cart.total"])
    #expect(try labels("goto ca").first == "cart/add#")
  }

  @Test("quit ends the debuggee")
  func quit() throws {
    try client.launch(shop.arguments())
    _ = try run("quit")
    try client.event("terminated")
    #expect(try client.refusal("threads") == "the session has ended")
    try client.ask("disconnect")
    #expect(client.waitForEnd() == .closed)
  }
}
