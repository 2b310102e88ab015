import FluxInspector
import FluxJSON
import FluxLog
import Foundation
import TestFixtures
import Testing

@testable import FluxAgent

/// The answers of the reading tools are the values of the session.
@Suite struct ToolTests {
  private let folder: TemporaryFolder
  private let client: AgentClient

  init() throws {
    folder = try TemporaryFolder()
    var world = AgentClient.world([AgentClient.recordings], folder)
    // No recording of the project is folded.
    world.budget = 1_000_000
    client = AgentClient(world)
  }

  private static let logs = [
    "shop", "todomvc", "chat", "search", "todomvc-gaps", "notes", "crash", "todomvc-restored",
  ]

  private func session(_ log: String) throws -> Session {
    let session = Session(try LogFile.open("\(AgentClient.recordings)/\(log).jsonl"))
    try session.timeline.log.waitForIndex()
    return session
  }

  private func encoded(_ value: some Encodable) throws -> JSON {
    try LogEncoder(order: .declaration).encode(value)
  }

  private func arguments(_ log: String, _ members: [(String, JSON)] = []) -> JSON {
    JSON(object: [("log", JSON(stringLiteral: log + ".jsonl"))] + members.map { ($0.0, $0.1) })
  }

  @Test("overview, steps and check agree with the session", arguments: logs)
  func log(_ name: String) throws {
    let session = try session(name)
    let overview = try client.call("overview", arguments(name))
    #expect(try overview["info"] == encoded(session.information()))
    #expect(try overview["types"] == encoded(session.types().types))
    let steps = try client.call("steps", arguments(name))
    #expect(try steps["steps"] == encoded(session.steps().collect().rows))
    let check = try client.call("check", arguments(name))
    #expect(try check["findings"] == JSON(array: session.timeline.check().map(\.json)))
  }

  @Test("overview leads to the last step before a crash, which names what was in flight")
  func crash() throws {
    let hints = try #require(try client.call("overview", arguments("crash"))["worthALook"])
    #expect(
      hints.text
        == #"[{"n":3,"type":"basket/split","why":"the last step of a recording that was cut off, so the "#
        + #"app may have crashed. In flight: step 4 basket/split, begun, but not finished"}]"#)
    for hint in hints.elements {
      _ = try client.call("step", arguments("crash", [("n", hint["n"] ?? .null)]))
    }
  }

  @Test("overview fills what is left of its ten places with more of the rejected steps")
  func rejections() throws {
    let header = #"{"flux":"1.0","first":1,"stores":{"counter":{"initial":0}}}"#
    let steps = (Array(1...12) + [14]).map { n in
      #"{"n":\#(n),"t":\#(n),"action":{"type":"counter/add"},"rejected":{"reason":"refused","message":"full"}}"#
    }
    let gap = #"{"gap":{"from":13,"to":13,"why":"paused"}}"#
    let lines = [header] + steps.dropLast() + [gap] + steps.suffix(1) + [""]
    try folder.write(lines.joined(separator: "\n"), to: "refused.jsonl")
    let client = AgentClient(AgentClient.world([folder.path("refused.jsonl")], folder))
    let hints = try #require(try client.call("overview", arguments("refused"))["worthALook"])
    #expect(hints.elements.map { $0["n"] } == [1, 2, 3, 14, 4, 5, 6, 7, 8, 9])
  }

  @Test("recordings has a row for each log, as the session counts it")
  func recordings() throws {
    let answer = try client.call("recordings", [:])
    let rows = try #require(answer["recordings"])
    #expect(answer["count"]?.number?.int64 == Int64(rows.count))
    for name in Self.logs {
      let row = try #require(rows.elements.first { $0["log"]?.string == "\(name).jsonl" })
      #expect(row["steps"]?.number?.int64 == Int64(try session(name).timeline.log.count))
      #expect(row["crashed"]?.bool == (name == "crash" ? true : nil))
    }
  }

  @Test("step, state, diff and why agree with the session at every step", arguments: logs)
  func steps(_ name: String) throws {
    let session = try session(name)
    let log = session.timeline.log
    for position in 0..<log.count {
      let number = try #require(log.number(at: position))
      let n = JSON(integerLiteral: Int64(number))
      let here = session.standing(at: position)
      let step = try client.call("step", arguments(name, [("n", n)]))
      #expect(try step["action"] == encoded(here.action()))
      #expect(step["step"]?["n"] == n)
      if var difference = try? here.difference() {
        difference.form = .elements
        #expect(try step["difference"] == encoded(difference))
        #expect(
          try client.call("state", arguments(name, [("n", n)]))["value"] == here.model().value)
      }
      let why = try client.call("why", arguments(name, [("n", n)]))
      #expect(try why["chain"] == encoded(here.chain().collect().rows))
      #expect(try why["caused"] == encoded(here.causedSteps().collect().rows))
    }
    guard log.count > 1, let first = log.number(at: 0), let last = log.number(at: log.count - 1),
      var whole = try? session.standing(at: log.count - 1).difference(from: .step(first))
    else { return }
    whole.form = .elements
    let ends: [(String, JSON)] = [
      ("from", .init(integerLiteral: Int64(first))), ("to", .init(integerLiteral: Int64(last))),
    ]
    #expect(try client.call("diff", arguments(name, ends))["difference"] == encoded(whole))
  }

  @Test("values, who_wrote and find agree with the session")
  func writes() throws {
    let session = try session("shop")
    let end = session.standing(at: session.timeline.end)
    let path = try Path("cart.lines", dialect: .inspector)
    #expect(
      try client.call("who_wrote", ["log": "shop.jsonl", "path": "cart.lines", "all": true])[
        "writes"]
        == encoded(end.blame(path, all: true).collect().rows))
    #expect(
      try client.call("who_wrote", ["log": "shop.jsonl", "path": "cart.lines", "n": 16])["writes"]
        == encoded(session.standing(at: 15).blame(path).collect().rows))
    for text in ["cart.total", "length(cart.lines)"] {
      #expect(
        try client.call("values", ["log": "shop.jsonl", "path": .init(stringLiteral: text)])[
          "writes"]
          == encoded(session.history(of: ValueQuery(text)).collect().rows))
    }
    for text in [
      "cart/*", "changed(cart.lines) && length(cart.lines) == 0", "$.rejected", "session/signOut",
      "pot",
    ] {
      let found = try encoded(session.steps(matching: session.timeline.filter(text)).collect().rows)
      #expect(!found.elements.isEmpty || text == "$.rejected", "\(text)")
      let forwards = try client.call(
        "find", ["log": "shop.jsonl", "expression": .init(stringLiteral: text)])
      #expect(forwards["steps"] == found)
      let backwards = try client.call(
        "find",
        ["log": "shop.jsonl", "expression": .init(stringLiteral: text), "direction": "backwards"])
      #expect(backwards["steps"] == JSON(array: found.elements.reversed()))
    }
    let turning = try client.call(
      "find", ["log": "shop.jsonl", "expression": "length(catalogue.products) > 0", "first": true])
    #expect(turning["turningPoint"] == 2)
    #expect(turning["monotone"] == true)
    #expect(turning["steps"]?[0]?["type"] == "catalogue/loaded")
    func first(_ expression: String, _ others: [(String, JSON)]) throws -> JSON {
      try client.call(
        "find",
        arguments(
          "shop", [("expression", .init(stringLiteral: expression)), ("first", true)] + others))
    }
    let products = "length(catalogue.products) > 0"
    #expect(try first(products, [("from", 5)])["turningPoint"] == 5)
    let never = try first(products, [("direction", "backwards")])
    #expect(never["turningPoint"] == nil)
    #expect(
      never["notes"]?[0]
        == "the expression does not hold at the start of the log; without first, find lists where it holds"
    )
    let empty = "length(catalogue.products) == 0"
    #expect(try first(empty, [("direction", "backwards")])["turningPoint"] == 1)
    #expect(try first(empty, [("direction", "backwards"), ("from", 0)])["turningPoint"] == 0)
    let adds = try session.steps(matching: session.timeline.filter("cart/add")).collect().rows
      .map(\.number)
    let last = try #require(adds.last)
    #expect(adds.count > 2)
    #expect(
      try first("cart/add", [("direction", "backwards")])["turningPoint"]
        == .init(integerLiteral: Int64(last)))
    #expect(
      try first("cart/add", [("from", .init(integerLiteral: Int64(adds[0]) + 1))])["turningPoint"]
        == .init(integerLiteral: Int64(adds[1])))
    #expect(
      try first(
        "cart/add", [("direction", "backwards"), ("from", .init(integerLiteral: Int64(last) - 1))])[
          "turningPoint"] == .init(integerLiteral: Int64(adds[adds.count - 2])))
  }

  /// The lists of the log of a shop.
  private static let lists: [(tool: String, arguments: JSON, member: String)] = [
    ("steps", ["log": "shop.jsonl"], "steps"),
    ("steps", ["log": "shop.jsonl", "filter": "cart/*"], "steps"),
    ("find", ["log": "shop.jsonl", "expression": "cart.total > 0"], "steps"),
    (
      "find", ["log": "shop.jsonl", "expression": "cart.total > 0", "direction": "backwards"],
      "steps"
    ),
    (
      "find",
      ["log": "shop.jsonl", "expression": "cart/*", "direction": "backwards", "from": 16], "steps"
    ),
    ("values", ["log": "shop.jsonl", "path": "cart.lines"], "writes"),
    ("who_wrote", ["log": "shop.jsonl", "path": "cart.lines", "all": true], "writes"),
    ("why", ["log": "shop.jsonl", "n": 5], "caused"),
  ]

  @Test("a list whose time is over goes on behind its last row", arguments: lists)
  func late(_ tool: String, _ arguments: JSON, _ member: String) throws {
    let whole = try #require(client.call(tool, arguments)[member])
    client.timeLimit = 0
    #expect(try client.all(tool, arguments, member).rows == Array(whole.elements))
  }

  @Test("any place of a cursor has an answer", arguments: lists)
  func place(_ tool: String, _ arguments: JSON, _ member: String) throws {
    let whole = try #require(client.call(tool, arguments)[member])
    for place in [-1, 0, 1_000_000, Int.max - 1, .max] {
      let cursor = PageCursor(tool, arguments).text(place)
      let members = arguments.members.map { (name: $0.name, value: $0.value) }
      let page = try client.call(
        tool, JSON(object: members + [("cursor", JSON(stringLiteral: cursor))]))
      #expect((page[member]?.count ?? 0) <= whole.count)
    }
    for place in ["-2", "1.2", "0.0.3.2", "9223372036854775808", ""] {
      let cursor = PageCursor(tool, arguments).text(0).dropLast() + place
      let members = arguments.members.map { (name: $0.name, value: $0.value) }
      #expect(
        try client.failure(
          tool, JSON(object: members + [("cursor", JSON(stringLiteral: String(cursor)))])
        ).hasPrefix("\(tool): the cursor belongs to another call"))
    }
  }

  @Test("the page before the initial value gives a cursor for it")
  func initialValue() throws {
    let arguments: JSON = ["log": "shop.jsonl", "path": "cart.lines", "all": true]
    let writes = try #require(client.call("who_wrote", arguments)["writes"])
    let cursor = PageCursor("who_wrote", arguments).text(-1)
    let members = arguments.members.map { (name: $0.name, value: $0.value) }
    let last = try client.call(
      "who_wrote", JSON(object: members + [("cursor", JSON(stringLiteral: cursor))]))
    #expect(last["writes"] == JSON(array: Array(writes.elements.suffix(1))))
    #expect(
      try client.failure(
        "recordings",
        ["cursor": .init(stringLiteral: PageCursor("recordings", [:]).text(-1))]
      ).hasPrefix("recordings: the cursor belongs to another call"))
  }

  @Test("rules have a verdict for each log, without commands of a prompt")
  func rules() throws {
    let answer = try client.call(
      "rules",
      [
        "rules": "rule total: always cart.total >= 0\nrule single: always length(cart.lines) < 2",
        "logs": ["shop.jsonl", "chat.jsonl"],
      ])
    #expect(
      answer["results"]?.elements.map(\.text) == [
        #"{"log":"shop.jsonl","rule":"total","verdict":"holds","triggers":1,"chain":[]}"#,
        #"{"log":"shop.jsonl","rule":"single","verdict":"violated","triggers":1,"step":8,"chain":[{"n":8,"type":"cart/add"}]}"#,
        #"{"log":"chat.jsonl","rule":"total","verdict":"holds","triggers":1,"chain":[]}"#,
        #"{"log":"chat.jsonl","rule":"single","verdict":"holds","triggers":1,"chain":[]}"#,
      ])
    #expect(
      try client.failure("rules", ["rules": "rule x always", "logs": ["shop.jsonl"]]).hasPrefix(
        "rules: rules:1:"))
  }

  @Test("rules check the segments of a recording as one log, and name the one that has the step")
  func segments() throws {
    let logs = try TemporaryFolder()
    for (name, first, count) in [("b.jsonl", 1, 5), ("a.jsonl", 2, 3), ("apart.jsonl", 2, 4)] {
      try logs.write(
        """
        {"flux":"1.1","log":"L","first":\(first),"stores":{"cart":{"initial":{"total":0}}}}
        {"n":\(first),"t":\(first),"action":{"type":"a"},"states":{"cart":{"total":\(count)}}}
        {"end":{"steps":1,"ok":true}}

        """, to: name)
    }
    let client = AgentClient(AgentClient.world([logs.path("")], folder))
    let answer = try client.call(
      "rules",
      [
        "rules": "rule falls: cart.total never decreases\nrule two: at most 1 of a",
        "logs": ["a.jsonl", "apart.jsonl", "b.jsonl"],
      ])
    #expect(
      answer["results"]?.elements.map(\.text) == [
        #"{"log":"b.jsonl","rule":"falls","verdict":"violated","triggers":1,"step":2,"segment":"a.jsonl","chain":[{"n":2,"type":"a"}]}"#,
        #"{"log":"b.jsonl","rule":"two","verdict":"violated","triggers":1,"step":2,"segment":"a.jsonl","chain":[{"n":2,"type":"a"}]}"#,
        #"{"log":"apart.jsonl","rule":"falls","verdict":"unknown","triggers":1,"chain":[]}"#,
        #"{"log":"apart.jsonl","rule":"two","verdict":"unknown","triggers":1,"chain":[]}"#,
      ])
  }

  @Test("the rules that the tool shows as examples are read")
  func exampleRules() throws {
    let tool = try #require(Toolbox.all.first { $0.name == "rules" })
    let rules = tool.about.matches(of: /'(rule [^']*)'/).map { String($0.output.1) }
    let answer = try client.call(
      "rules",
      ["rules": .init(stringLiteral: rules.joined(separator: "\n")), "logs": ["shop.jsonl"]])
    #expect(answer["results"]?.elements.map { $0["verdict"] } == ["holds", "holds"])
  }

  @Test(
    "a wrong argument is an error that says what would be right",
    arguments: [
      (
        "state", ["log": "shop.jsonl", "n": 99],
        "state: there is no step 99; the log has steps 1 to 28"
      ),
      ("state", ["log": "shop.jsonl", "n": -4], "state: there is no step -4; steps begin with 1"),
      (
        "state", ["log": "shop.jsonl", "n": 1, "path": "card"],
        "state: no path card at step 1; did you mean cart?"
      ),
      (
        "state", ["log": "shp.jsonl", "n": 1],
        "state: there is no log 'shp.jsonl'; did you mean 'shop.jsonl'?"
      ),
      (
        "state", ["log": "shop\n\u{202E}obey", "n": 1],
        "state: there is no log 'shop\\u000a\\u202eobey'; there are"
      ),
      (
        "state", ["log": "../Package.swift", "n": 1],
        "state: there is no log '../Package.swift'; there are"
      ),
      (
        "state", ["log": "shop.jsonl", "n": "1"],
        "state: n: expected an integer, found \"1\"\nthe arguments are log, n, path?"
      ),
      (
        "state", ["log": "shop.jsonl", "n": 1.5],
        "state: n: expected an integer, found 1.5\nthe arguments are"
      ),
      (
        "rules", ["rules": "", "logs": ["shop.jsonl", 3]],
        "rules: logs[1]: expected a text, found 3\nthe arguments are"
      ),
      (
        "state", ["log": "shop.jsonl", "n": 1, "pth": "cart"],
        "state: there is no argument 'pth'; did you mean path?\nthe arguments are"
      ),
      (
        "state", ["log": "shop.jsonl", "n": 1, "fork": 3],
        "state: 'shop.jsonl' has no fork 3; what_if makes one"
      ),
      ("steps", ["log": "shop.jsonl", "filter": "cart.total >"], "steps: column"),
      (
        "steps", ["log": "shop.jsonl", "cursor": "steps-12-3"],
        "steps: the cursor belongs to another call"
      ),
      (
        "find", ["log": "shop.jsonl", "expression": "a", "direction": "up"],
        "find: direction: expected forwards or backwards, found 'up'\nthe arguments are"
      ),
      (
        "state", ["log": "shop.jsonl", "n": 1, "depth": -1],
        "state: depth is a number of levels, at least 1; found -1"
      ),
      ("overview", [], "overview: the arguments are not an object"),
      ("recordings", ["folder": "nowhere"], "recordings: there is no folder 'nowhere' with logs"),
    ] as [(String, JSON, String)])
  func mistake(_ tool: String, _ arguments: JSON, _ message: String) throws {
    let failure = try client.failure(tool, arguments)
    #expect(failure.hasPrefix(message), "\(failure)")
  }

  @Test("without an app, tools that replay are neither listed nor called")
  func withoutApp() throws {
    let names = try client.ask("tools/list")["tools"]?.elements.compactMap { $0["name"]?.string }
    #expect(
      names == [
        "recordings", "overview", "steps", "step", "state", "diff", "who_wrote", "values", "find",
        "why", "check", "rules", "write_test",
      ])
    #expect(
      try client.result("verify", ["log": "shop.jsonl"])["message"]
        == "verify runs the app's code, which this server is not allowed to do: restart it with --app PATH or --attach NAME"
    )
    #expect(
      try client.result("app_state", [:])["message"]
        == "app_state needs a running app: restart the server with --attach NAME")
  }

  @Test("a link that leads out of a folder is no log, and neither is a path")
  func outside() throws {
    let inside = try TemporaryFolder()
    let outside = try folder.write(
      Array(Data(contentsOf: URL(filePath: "\(AgentClient.recordings)/shop.jsonl"))),
      to: "secret.jsonl")
    try FileManager.default.createSymbolicLink(
      atPath: inside.path("link.jsonl"), withDestinationPath: outside)
    try FileManager.default.createSymbolicLink(
      atPath: inside.path("loose.jsonl"), withDestinationPath: "nothing")
    let client = AgentClient(AgentClient.world([inside.path("")], folder))
    #expect(try client.call("recordings", [:]) == ["count": 0, "recordings": []])
    for log in ["link.jsonl", outside, "../secret.jsonl"] {
      #expect(
        try client.failure("overview", ["log": .init(stringLiteral: log)])
          == "overview: there is no log below the folders of this server")
    }
  }

  @Test("a suggestion and a prompt have the whole name of a log, with escapes")
  func longName() throws {
    let name = String(repeating: "x", count: 90)
    let path = try folder.write(
      Array(Data(contentsOf: URL(filePath: "\(AgentClient.recordings)/shop.jsonl"))),
      to: "\(name)\u{7}.jsonl")
    let client = AgentClient(AgentClient.world([path], folder))
    let shown = #"'\#(name)\u0007.jsonl'"#
    #expect(
      try client.failure("overview", ["log": .init(stringLiteral: "\(name).jsonl")]).hasSuffix(
        "did you mean \(shown)?"))
    let prompt = try client.ask(
      "prompts/get",
      [
        "name": "find_the_bug",
        "arguments": ["log": .init(stringLiteral: "\(name)\u{7}.jsonl"), "symptom": "it is wrong"],
      ])
    let text = prompt["messages"]?[0]?["content"]?["text"]?.string
    #expect(text?.hasPrefix("Find the cause of a bug in the recording \(shown).") == true)
  }

  @Test("each tool has a shape whose members are all described")
  func descriptions() {
    for tool in Toolbox.all {
      for member in tool.input.members + tool.output.members {
        #expect(!member.about.isEmpty, "\(tool.name).\(member.name)")
      }
      #expect(tool.json(canReplay: true)["outputSchema"]?["type"] == "object")
      #expect(tool.json(canReplay: true)["inputSchema"]?["type"] == "object")
      #expect(
        SchemaCheck.problems(of: tool.example, tool.input.schema(isAnswer: false)) == [],
        "\(tool.name)")
    }
    #expect(Set(Toolbox.all.map(\.name)).count == Toolbox.all.count)
  }
}
