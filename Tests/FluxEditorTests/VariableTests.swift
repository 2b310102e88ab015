import FluxJSON
import TestFixtures
import Testing

@Suite struct VariableTests {
  let shop: RecordedShop
  let client: DebugClient

  init() throws {
    shop = try RecordedShop()
    client = try DebugClient()
  }

  @Test("scopes are the action, its changes, and the stores that are there")
  func scopes() throws {
    try client.launch(shop.arguments(["position": 8]))
    let frame = try #require(try client.frames().first?["id"])
    let scopes = try client.ask("scopes", ["frameId": frame])["scopes"]
    #expect(scopes?.elements.map { $0["name"]?.string } == ["Action", "Changes", "cart"])
    #expect(
      try client.variables("Action") == [
        #"type = "cart/clear""#, "n = 8", "t = 10.000000", #"at = "Shop/Cart.swift:4""#,
        "took = 12",
      ])
    #expect(
      try client.variables("Changes") == [
        #"cart.lines[0] = {"count":1,"id":"tea"} -> nothing"#,
        #"cart.lines[0] = {"count":2,"id":"cup"} -> nothing"#, "cart.total = 2980 -> 0",
        #"search = {"query":"mi"} -> nothing"#,
      ])
  }

  @Test("a value leads to the line that dispatched its last write, and none but a state does")
  func locations() throws {
    try client.launch(shop.arguments(["position": 7]))
    func location(_ scope: String, _ name: String) throws -> (file: String?, line: Int64?) {
      let variables = try client.ask(
        "variables", ["variablesReference": try client.reference(of: scope)])
      let variable = variables["variables"]?.elements.first { $0["name"]?.string == name }
      guard let reference = variable?["valueLocationReference"] else { return (nil, nil) }
      let body = try client.ask("locations", ["locationReference": reference])
      return (body["source"]?["path"]?.string, body["line"]?.number?.int64)
    }
    #expect(try location("cart", "total") == (shop.source("Shop/Cart.swift"), 2))
    let written = try location("search", "query")
    #expect(written.file?.hasSuffix("/shop.jsonl/step-7.json") == true)
    #expect(try location("Action", "n") == (nil, nil))
    _ = try client.move("reverseContinue")
    let initial = try location("cart", "total")
    #expect(initial.file?.hasSuffix("/shop.jsonl/header.json") == true)
    #expect(
      try client.refusal("locations", ["locationReference": 99]) == "there is no location 99")
  }

  @Test("stores and members whose names only look the same have their own values")
  func lookAlike() throws {
    let names = ["\u{E9}", "e\u{301}"]
    let states = names.map {
      "{\"m\":{\"\(names[0])\":[\"\($0) 0\"],\"\(names[1])\":[\"\($0) 1\"]}}"
    }
    let log = try shop.folder.write(
      #"{"flux":"1.2","stores":{"\#(names[0])":{"initial":\#(states[0])},"\#(names[1])":{"initial":\#(states[1])}}}"#
        + "\n" + #"{"n":1,"t":0,"action":{"type":"a"}}"# + "\n", to: "alike.jsonl")
    try client.launch(["program": .init(stringLiteral: log), "position": 1])
    let frame = try #require(try client.frames().first?["id"])
    func children(_ reference: JSON?) throws -> [JSON] {
      let body = try client.ask("variables", ["variablesReference": try #require(reference)])
      return body["variables"].map { Array($0.elements) } ?? []
    }
    let scopes = try client.ask("scopes", ["frameId": frame])["scopes"]
    var found: [[UInt8]] = []
    for scope in scopes?.elements.suffix(2) ?? [] {
      let members = try children(try children(scope["variablesReference"])[0]["variablesReference"])
      for member in members {
        for value in try children(member["variablesReference"]) {
          found.append(Array((value["value"]?.string ?? "").utf8))
        }
      }
    }
    let expected = names.flatMap { ["\"\($0) 0\"", "\"\($0) 1\""] }.map { Array($0.utf8) }
    #expect(Set(found) == Set(expected) && found.count == 4)
  }

  @Test("a text that is too long for a view is cut, and whole on the clipboard")
  func longText() throws {
    let text = "\"\(String(repeating: "x", count: 100_000))\""
    let log = try shop.folder.write(
      #"{"flux":"1.2","log":"long","stores":{"note":{"initial":\#(text)}}}"# + "\n"
        + #"{"n":1,"t":0,"action":{"type":"edit"}}"# + "\n", to: "long.jsonl")
    try client.launch(["program": .init(stringLiteral: log), "position": 1])
    let cut = text.prefix(32_768) + "…"
    #expect(try client.variables("note") == ["note = \(cut)"])
    #expect(try client.ask("evaluate", ["expression": "note"])["result"]?.string == String(cut))
    #expect(
      try client.ask("evaluate", ["expression": "note", "context": "clipboard"])["result"]?.string
        == text)
  }

  @Test("states are trees of JSON, and each value knows its path")
  func tree() throws {
    try client.launch(shop.arguments(["position": 5]))
    let cart = try client.reference(of: "cart")
    #expect(
      try client.ask("variables", ["variablesReference": cart])["variables"]?.elements.map(\.self)
        == [
          [
            "name": "lines", "value": #"[{"count":1,"id":"tea"},{"count":2,"id":"cup"}]"#,
            "type": "array", "presentationHint": ["attributes": ["readOnly"]],
            "evaluateName": "cart.lines", "variablesReference": 4,
            "indexedVariables": 2, "valueLocationReference": 4,
          ],
          [
            "name": "total", "value": "2980", "type": "number",
            "presentationHint": ["attributes": ["readOnly"]], "evaluateName": "cart.total",
            "variablesReference": 0, "valueLocationReference": 5,
          ],
        ])
    let line = try client.ask(
      "variables", ["variablesReference": 4, "filter": "indexed", "start": 1, "count": 1])
    #expect(line["variables"]?[0]?["name"] == "1")
    #expect(line["variables"]?[0]?["evaluateName"] == "cart.lines[1]")
    #expect(line["variables"]?.count == 1)
    let named = try client.ask("variables", ["variablesReference": 4, "filter": "named"])
    #expect(named["variables"]?.count == 0)
  }

  @Test("frames name their step: reads do not move, and a move does not change them")
  func frames() throws {
    try client.launch(shop.arguments(["position": 3]))
    let frames = try client.frames()
    let root = try #require(frames.last?["id"])
    _ = try client.move("continue")
    let value = try client.ask(
      "evaluate", ["expression": "cart.total", "frameId": root, "context": "hover"])
    #expect(value["result"] == "480")
    #expect(try client.frames().first?["name"] == "8 cart/clear")
  }

  @Test("values with many members come in groups of a thousand")
  func groups() throws {
    let members = (0..<2500).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
    let lines = [
      RecordedShop.header,
      #"{"n":1,"t":0.5,"action":{"type":"a"},"states":{"cart":{\#(members)}}}"#
        .replacing(#""t":0.5"#, with: #""t":0.500000"#),
      #"{"n":2,"t":0.600000,"action":{"type":"b"},"states":{"cart":[\#((0..<1500).map { "\($0)" }.joined(separator: ","))]}}"#,
      #"{"end":{"steps":2,"ok":true}}"#,
    ]
    let shop = try RecordedShop(lines)
    let client = try DebugClient()
    try client.launch(shop.arguments(["position": 1]), initialize: ["adapterID": "flux"])
    #expect(
      try client.variables("cart") == [
        "0…999 = 1000 members", "1000…1999 = 1000 members", "2000…2499 = 500 members",
      ])
    let body = try client.ask(
      "variables", ["variablesReference": try client.reference(of: "cart")])
    let last = try #require(body["variables"]?[2]?["variablesReference"])
    #expect(try client.list(last).first == "m2000 = 2000")
    #expect(try client.list(last).count == 500)
    _ = try client.move("stepIn")
    #expect(try client.variables("cart") == ["0…999 = 1000 members", "1000…1499 = 500 members"])
  }

  @Test("evaluate answers paths, calls and expressions, and names the nearest path")
  func evaluate() throws {
    try client.launch(shop.arguments(["position": 5]))
    func value(_ text: String) throws -> JSON {
      try client.ask("evaluate", ["expression": .init(stringLiteral: text)])["result"] ?? .null
    }
    #expect(try value("cart.total") == "2980")
    #expect(try value("cart.lines[*].id") == #"["tea","cup"]"#)
    #expect(try value("length(cart.lines)") == "2")
    #expect(try value("cart.total > 3") == "true")
    #expect(try value("$.at") == #""Shop/Cart.swift:2""#)
    #expect(try value("changed(cart.total)") == "true")
    #expect(
      try client.refusal("evaluate", ["expression": "cart.totl"])
        == "no path cart.totl at step 5; did you mean cart.total?")
    #expect(try client.refusal("evaluate", ["expression": "]"]).isEmpty == false)
  }

  @Test("modules are the stores, and sources are the files that the log names")
  func recording() throws {
    try client.launch(shop.arguments(["position": 5]))
    #expect(
      try client.ask("modules", [:]) == [
        "modules": [
          [
            "id": "cart", "name": "cart", "symbolStatus": "present, 70 bytes", "version": "Cart",
          ],
          ["id": "search", "name": "search", "symbolStatus": "absent", "version": "Search"],
        ], "totalModules": 2,
      ])
    let sources = try client.ask("loadedSources")["sources"]
    #expect(
      sources?.elements.map { $0["path"]?.string } == [
        shop.source("Shop/Cart.swift"), shop.source("Shop/Store.swift"),
      ])
    #expect(
      try client.ask("threads") == ["threads": [["id": 1, "name": "Shop (shop.jsonl)"]]])
  }
}
