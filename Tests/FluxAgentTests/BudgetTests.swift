import FluxInspector
import FluxJSON
import FluxLog
import Foundation
import TestFixtures
import Testing

@testable import FluxAgent
@testable import FluxExchange

/// Answers keep their budget, and what they leave out can be asked for.
@Suite struct BudgetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A log whose states are large: a list of 400 objects, a long text, an object with many members.
  private func largeLog() throws -> String {
    let items = (0..<400).map { #"{"id":\#($0),"title":"item number \#($0)","tags":["a","b"]}"# }
      .joined(separator: ",")
    let names = (0..<300).map { #""name \#($0)":\#($0)"# }.joined(separator: ",")
    let text = String(repeating: "lorem ipsum ", count: 4000)
    let state = #"{"items":[\#(items)],"names":{\#(names)},"text":"\#(text)","count":1}"#
    var lines = [
      #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"app":{"name":"Large","version":"1.0"},"stores":{"large":{"type":"Large","initial":\#(state)}}}"#
    ]
    for n in 1...600 {
      lines.append(
        #"{"n":\#(n),"t":\#(n).000000,"action":{"type":"large/set","payload":{"n":\#(n)}},"patches":{"large":[{"op":"replace","path":"/count","value":\#(n + 1)}]}}"#
      )
    }
    let others = items.replacingOccurrences(of: "item", with: "other")
    lines.append(
      #"{"n":601,"t":601.000000,"action":{"type":"large/fill"},"patches":{"large":[{"op":"replace","path":"/items","value":[\#(others)]}]}}"#
    )
    return try folder.write(lines.joined(separator: "\n") + "\n", to: "large.jsonl")
  }

  private func client(budget: Int = AgentWorld.usualBudget) throws -> AgentClient {
    var world = AgentClient.world([try largeLog()], folder)
    world.budget = budget
    return AgentClient(world)
  }

  @Test("the pages of a list are together the whole list", arguments: [2000, 12_000])
  func pages(_ budget: Int) throws {
    let client = try client(budget: budget)
    let session = Session(try LogFile.open(folder.path("large.jsonl")))
    func all(_ tool: String, _ arguments: [(name: String, value: JSON)], _ member: String) throws
      -> [JSON]
    {
      let (rows, pages) = try client.all(tool, JSON(object: arguments), member)
      #expect(pages > 1)
      return rows
    }
    func encoded(_ rows: [some Encodable]) throws -> [JSON] {
      try rows.map { try LogEncoder(order: .declaration).encode($0) }
    }
    let log: (name: String, value: JSON) = ("log", "large.jsonl")
    let rows = try encoded(session.steps().collect().rows)
    #expect(try all("steps", [log], "steps") == rows)
    #expect(try all("steps", [log, ("filter", "large/*")], "steps") == rows)
    #expect(
      try all("find", [log, ("expression", "large.count > 100")], "steps") == Array(rows[99...]))
    #expect(
      try all(
        "find", [log, ("expression", "large.count > 100"), ("direction", "backwards")], "steps")
        == rows[99...].reversed())
    let writes = try encoded(session.history(of: ValueQuery("large.count")).collect().rows)
    #expect(try all("values", [log, ("path", "large.count")], "writes") == writes)
    #expect(
      try all("who_wrote", [log, ("path", "large.count"), ("all", true)], "writes")
        == writes.reversed())
    #expect(
      try all("state", [log, ("n", 1), ("path", "large.items[*].id")], "nodes").map { $0["value"] }
        == (0..<400).map { .init(integerLiteral: $0) })
  }

  @Test(
    "a state is folded by size, and the paths that it gives lead to the rest",
    arguments: [2000, 12_000])
  func folded(_ budget: Int) throws {
    let client = try client(budget: budget)
    let model = try Session(LogFile.open(folder.path("large.jsonl"))).model().value
    let state = try client.call("state", ["log": "large.jsonl", "n": 0])
    let value = try #require(state["value"]?["large"])
    #expect(value["count"] == 1)
    #expect(state["left"]?[0]?.string?.contains("folded; ask for one by its path: ") == true)
    #expect(value["text"]?["path"] == "large.text")
    #expect(value["text"]?["folded"] == "text of 48002 bytes")
    // Every place that is folded has a path, which selects more of it.
    var markers = 0
    func visit(_ json: JSON) throws {
      if json["folded"] != nil {
        markers += 1
        let path = try #require(json["path"]?.string)
        let nodes = try Path(path, dialect: .inspector).nodes(
          in: QueryDocument(members: [.init("state") { QueryDocument(model) }]))
        #expect(!nodes.isEmpty, "\(path)")
        return
      }
      for member in json.members { try visit(member.value) }
      for element in json.elements { try visit(element) }
    }
    try visit(value)
    #expect(markers >= 3)
    let rest = try client.call(
      "state", ["log": "large.jsonl", "n": 0, "path": "large.text", "skip": 47_990])
    #expect(rest["value"] == "rem ipsum ")
    let shallow = try client.call("state", ["log": "large.jsonl", "n": 0, "depth": 1])
    #expect(
      shallow["value"]?["large"]?["folded"]?.string?.hasPrefix("object of 4 members, ") == true)
  }

  @Test("a large step fits")
  func step() throws {
    let client = try client()
    let step = try client.call("diff", ["log": "large.jsonl", "from": 0, "to": 601])
    #expect(step["difference"]?["to"] == 601)
    #expect(step["left"]?[0]?.string?.contains("values are folded") == true)
    let fill = try client.call("step", ["log": "large.jsonl", "n": 601])
    #expect(fill["step"]?["type"] == "large/fill")
    #expect(fill["left"]?[0]?.string?.contains("values are folded") == true)
  }

  @Test("rows that are larger than a page have pages of one row", arguments: [nil, "backwards"])
  func largeRows(_ direction: String?) throws {
    let name = String(repeating: "long", count: 1500)
    let steps = (1...3).map {
      #"{"n":\#($0),"t":1.000000,"action":{"type":"\#(name)"},"patches":{"s":[]}}"#
    }
    let header =
      #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"stores":{"s":{"type":"S","initial":1}}}"#
    let path = try folder.write(
      ([header] + steps + [""]).joined(separator: "\n"), to: "names.jsonl")
    var world = AgentClient.world([path], folder)
    world.budget = AgentWorld.smallestBudget
    let numbers = try AgentClient(world).all(
      "find",
      JSON(
        object: [("log", "names.jsonl"), ("expression", "long*")]
          + (direction.map { [("direction", JSON(stringLiteral: $0))] } ?? [])), "steps"
    ).rows.map { $0["n"] }
    #expect(numbers == (direction == nil ? [1, 2, 3] : [3, 2, 1]))
  }

  @Test("a character of many bytes does not break the budget, and skip counts bytes")
  func marks() throws {
    let text = "a" + String(repeating: "\u{301}", count: 100_000)
    let path = try folder.write(
      [
        #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"stores":{"s":{"type":"S","initial":{"text":"\#(text)"}}}}"#,
        #"{"n":1,"t":1.000000,"action":{"type":"set"},"patches":{"s":[]}}"#, "",
      ].joined(separator: "\n"), to: "marks.jsonl")
    let client = AgentClient(AgentClient.world([path], folder))
    let whole = try client.call("state", ["log": "marks.jsonl", "n": 0, "path": "s.text"])
    #expect(whole["value"]?["folded"] == "text of 200003 bytes")
    let shown = try #require(whole["value"]?["begins"]?.string?.utf8.count)
    #expect(shown > 100)
    #expect(
      whole["left"]?[0]?.string == "the rest of the text: call state again with skip \(shown)")
    // A scalar is not cut: one byte of it is as none.
    for skip in [199_997, 199_998] {
      let rest = try client.call(
        "state",
        [
          "log": "marks.jsonl", "n": 0, "path": "s.text",
          "skip": .init(integerLiteral: Int64(skip)),
        ])
      #expect(rest["value"]?.string?.utf8.count == 4)
    }
    #expect(
      try client.failure("overview", ["log": .init(stringLiteral: text)]).utf8.count
        <= AgentWorld.usualBudget)
    #expect("aé\u{301}".cut(toBytes: 4) == "aé")
  }

  @Test("the parts of a long test are together its source", arguments: [2000, 12_000])
  func longTest(_ budget: Int) throws {
    let path = "\(AgentClient.recordings)/chat.jsonl"
    var world = AgentClient.world([path], folder)
    world.budget = budget
    let client = AgentClient(world)
    let session = Session(try LogFile.open(path))
    let step = try session.standing(at: session.resolve(.step(30)).position)
    var source = ""
    var arguments: JSON = ["log": "chat.jsonl", "n": 30]
    var count = 0
    while count < 100 {
      let answer = try client.call("write_test", arguments)
      source += try #require(answer["source"]?.string)
      count += 1
      guard let cursor = answer["cursor"] else { break }
      arguments = ["log": "chat.jsonl", "n": 30, "cursor": cursor]
    }
    #expect(count > 1)
    let whole = try step.testSource(TestRequest()).source
    #expect(source == whole)
  }

  @Test("what a schema gives a type keeps it in any budget")
  func types() throws {
    let shape = Shape.object(
      ["text", "numbers", "texts"].map { name in
        Shape.Member(
          name: name, shape: name == "text" ? .text : .array(name == "texts" ? .text : .integer),
          isRequired: true, about: name)
      })
    let long = String(repeating: "é", count: 9000)
    let answer = JSON(object: [
      ("text", JSON(stringLiteral: long)),
      ("numbers", JSON(array: (0..<9000).map { .init(integerLiteral: $0) })),
      ("texts", JSON(array: [JSON(stringLiteral: long), "b"])),
    ])
    let frame = AnswerFrame(budget: AnswerFrame.smallestBudget)
    let folded = frame.object(answer, as: shape, Extras())
    #expect(WireText.size(of: folded) <= frame.budget)
    let schema = Shape.object(shape.members + Extras.members).schema(isAnswer: true)
    #expect(SchemaCheck.problems(of: folded, schema) == [])
    #expect((folded["numbers"]?.count ?? 0) > 20)
    #expect(folded["texts"]?[0]?.string?.hasSuffix("é…") == true)
    #expect(folded["left"]?[0]?.string?.hasPrefix("4 values are folded") == true)
  }

  @Test("the name of a member may be longer than an answer", arguments: [2000, 12_000])
  func longNames(_ budget: Int) throws {
    let name = String(repeating: "x", count: 20_000)
    let state = #"{"before":1,"\#(name)":{"count":1},"after":2}"#
    let path = try folder.write(
      [
        #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"stores":{"c":{"type":"C","initial":{"before":0}}}}"#,
        #"{"n":1,"t":1.000000,"action":{"type":"set","payload":{"\#(name)":1}},"states":{"c":\#(state)}}"#,
        #"{"n":2,"t":2.000000,"action":{"type":"set"},"states":{"c":{"\#(name)":1}}}"#, "",
      ].joined(separator: "\n"), to: "names.jsonl")
    var world = AgentClient.world([path], folder)
    world.budget = budget
    let client = AgentClient(world)
    let log: (name: String, value: JSON) = ("log", "names.jsonl")
    for (tool, arguments) in [
      ("who_wrote", [("path", "c")]), ("who_wrote", [("path", "c"), ("all", true)]),
      ("values", [("path", "c")]), ("step", [("n", 1)]), ("step", [("n", 2)]),
      ("diff", [("from", 0), ("to", 1)]), ("diff", [("from", 1), ("to", 2)]),
      ("state", [("n", 1)]), ("state", [("n", 2)]), ("state", [("n", 2), ("depth", 3)]),
      ("state", [("n", 1), ("path", "c.*")]),
    ] as [(String, [(name: String, value: JSON)])] {
      let answer = try client.call(tool, JSON(object: [log] + arguments))
      #expect(answer.text.contains(#""folded""#), "\(tool) \(arguments)")
    }
    let whole = try client.call("state", ["log": "names.jsonl", "n": 1, "path": "c"])
    #expect(
      whole["value"]?.text
        == #"{"before":1,"…":{"folded":"2 more members","path":"c.*"}}"#)
  }

  /// A client with the smallest budget, for a log `levels.jsonl` of one store.
  private func smallestClient(ofInitial state: String) throws -> AgentClient {
    let path = try folder.write(
      #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"stores":{"c":{"type":"C","initial":\#(state)}}}"#
        + "\n", to: "levels.jsonl")
    var world = AgentClient.world([path], folder)
    world.budget = AnswerFrame.smallestBudget
    return AgentClient(world)
  }

  @Test("a value of many levels is shown as far as it fits, with the path of the rest")
  func manyLevels() throws {
    let levels = 480
    let state =
      String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    let client = try smallestClient(ofInitial: state)
    let answer = try client.call("state", ["log": "levels.jsonl", "n": 0, "path": "c"])
    var value = try #require(answer["value"])
    var shown = 0
    while let next = value["a"] { (value, shown) = (next, shown + 1) }
    #expect(shown > 50)
    #expect(value["path"]?.string == "c" + String(repeating: ".a", count: shown))
    #expect(value["folded"]?.string?.hasPrefix("object of 1 member, ") == true)
  }

  @Test("one of a thing is counted in the singular")
  func one() {
    var fold = Fold()
    let folded = fold.fold(["b": ["c"]], at: nil, to: 2000, depth: 1)
    #expect(folded.text == #"{"b":{"folded":"array of 1 element, 5 bytes"}}"#)
    #expect(fold.sentence("large value") == "1 large value is folded")
  }

  @Test("a part whose path is too long to be given can be asked for by the names on the way to it")
  func longPath() throws {
    let name = String(repeating: "x", count: 60)
    let levels = 60
    let open = String(repeating: #"{"\#(name)":"#, count: levels)
    let state = open + "1" + String(repeating: "}", count: levels)
    let client = try smallestClient(ofInitial: state)
    let answer = try client.call("state", ["log": "levels.jsonl", "n": 0])
    #expect(
      answer["left"]?.text
        == #"["1 part is folded; a part without a path has one of more than 400 bytes, which consists of "#
        + #"the names on the way to it"]"#)
    var value = try #require(answer["value"]?["c"])
    var way = "c"
    while let next = value[name] { (value, way) = (next, "\(way).\(name)") }
    #expect(value.members.map(\.name) == ["folded"])
    #expect(way.utf8.count > 400)
    let next = try client.call(
      "state", ["log": "levels.jsonl", "n": 0, "path": .init(stringLiteral: way)])
    #expect(next["value"]?[name]?[name] != nil)
  }

  @Test("a sign for what is left out is not longer than that")
  func smallValues() throws {
    let json = try JSON.parse(
      #"[\#((0..<40).map { #"{"id":\#($0),"v":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}"# }.joined(separator: ","))]"#
    )
    for budget in [0, 50, 200, 400] {
      var fold = Fold()
      let folded = fold.fold(json, at: nil, to: budget)
      #expect(!folded.text.contains("number of"))
      #expect(folded.byteCount < 700)
    }
  }

  @Test("any value fits into any budget")
  func random() throws {
    var random = RandomJSON(77)
    for _ in 0..<300 {
      let json = try JSON.parse(random.value(depth: 5, width: 12))
      let budget = 300 + random.below(3000)
      var fold = Fold()
      let folded = fold.fold(json, at: "", to: budget)
      #expect(folded.text.utf8.count <= max(budget * 2, 1000), "\(json)")
      if json.byteCount <= budget { #expect(folded == json) }
      let frame = AnswerFrame(budget: AnswerFrame.smallestBudget)
      let object = frame.object(["value": folded, "same": json], as: .any, Extras())
      #expect(WireText.size(of: object) <= frame.budget, "\(json)")
    }
  }
}
