import FluxEditor
import FluxInspector
import FluxJSON
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

/// A `continue` at the newest step of a log that grows.
@Suite struct FollowTests {
  let shop: RecordedShop
  let client: DebugClient

  /// Attaches to the first four steps of a log, and stops at the newest.
  init() throws {
    shop = try RecordedShop(Array(([RecordedShop.header] + RecordedShop.steps)[..<5]))
    client = try DebugClient()
    try client.ask("initialize", ["adapterID": "flux"])
    try client.ask("attach", ["log": .init(stringLiteral: shop.log), "position": "end"])
    try client.ask("configurationDone")
    #expect(try client.stop() == "entry: 4 cart/add")
  }

  private func append(_ lines: [String]) throws {
    try shop.folder.append(lines.joined(separator: "\n") + "\n", to: "shop.jsonl")
  }

  private var stops: Int { client.all.count { $0["event"] == "stopped" } }

  @Test("it waits for a step that a stop point hits, and all requests are answered meanwhile")
  func waits() throws {
    try client.ask("continue", ["threadId": 1])
    try client.ask("setFunctionBreakpoints", ["breakpoints": [["name": "search/type"]]])
    #expect(
      try client.ask("evaluate", ["expression": "print $.n", "context": "repl"])["result"] == "4")
    #expect(try client.frames().first?["name"] == "4 cart/add")
    #expect(stops == 1)
    try append(Array(RecordedShop.steps[4..<8]))
    #expect(try client.stop() == "function breakpoint: 7 search/type")
    try client.ask("continue", ["threadId": 1])
    try client.ask("threads")
    #expect(stops == 2)
  }

  @Test("it passes the new steps that nothing stops at, until the log is closed")
  func end() throws {
    try client.ask("continue", ["threadId": 1])
    try append(Array(RecordedShop.steps[4..<6]))
    while try client.frames().first?["name"] != "6 search/open" {}
    #expect(stops == 1)
    try append(RecordedShop.steps[6...] + [RecordedShop.end])
    #expect(try client.stop() == "end: 8 cart/clear")
    #expect(try client.move("continue") == "end: 8 cart/clear")
  }

  @Test("pause ends the wait at the newest step, and so does a move")
  func pause() throws {
    try client.ask("continue", ["threadId": 1])
    try client.ask("threads")
    try client.ask("pause", ["threadId": 1])
    #expect(try client.stop() == "pause: 4 cart/add")
    try client.ask("continue", ["threadId": 1])
    #expect(try client.move("stepBack") == "step: 3 cart/noted")
    try append([RecordedShop.steps[4]])
    #expect(try client.move("next") == "step: 4 cart/add")
    try client.ask("pause", ["threadId": 1])
    try client.ask("threads")
    #expect(stops == 4)
  }

  @Test("a continue from an earlier step waits when it has come to the newest")
  func fromBehind() throws {
    #expect(try client.move("reverseContinue") == "start: start")
    try client.ask("continue", ["threadId": 1])
    while try client.frames().first?["name"] != "4 cart/add" {}
    try client.ask("setFunctionBreakpoints", ["breakpoints": [["name": "*"]]])
    try append([RecordedShop.steps[4]])
    #expect(try client.stop() == "function breakpoint: 5 cart/add")
  }

  @Test(
    "the wait ends with a message if another log takes the place of this one",
    arguments: [("5f0c", "file"), ("6a1d", "recording")])
  func replaced(id: String, kind: String) throws {
    try client.ask("continue", ["threadId": 1])
    let header = RecordedShop.header.replacing("\"5f0c\"", with: "\"\(id)\"")
    let newer = try shop.folder.write(header + "\n", to: "newer.jsonl")
    try FileManager.default.removeItem(atPath: shop.log)
    try FileManager.default.moveItem(atPath: newer, toPath: shop.log)
    #expect(try client.stop() == "end: 4 cart/add")
    #expect(
      client.output.last
        == "the log is no longer followed: another \(kind) is at \(shop.log) now; start again to follow that one\n"
    )
  }

  @Test("one output reports that the log was removed, and the session continues to wait")
  func removed() throws {
    try client.ask("continue", ["threadId": 1])
    try FileManager.default.removeItem(atPath: shop.log)
    while !client.output.contains(where: { $0.contains("removed") }) { try client.ask("threads") }
    try client.ask("pause", ["threadId": 1])
    #expect(try client.stop() == "pause: 4 cart/add")
    #expect(
      client.output.filter { $0.contains("removed") } == [
        "\(shop.log) was removed; what it had can be read here until the session ends\n"
      ])
  }

  @Test("the end of the session ends the wait", arguments: ["terminate", "disconnect"])
  func over(_ command: String) throws {
    try client.ask("continue", ["threadId": 1])
    try client.ask("threads")
    try client.ask(command)
    try append([RecordedShop.steps[4]])
    if command == "terminate" {
      try client.event("terminated")
      try client.ask("disconnect")
    }
    #expect(client.waitForEnd() == .closed)
    #expect(stops == 1)
  }
}
