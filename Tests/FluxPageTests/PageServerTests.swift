import Counter
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import Synchronization
import TestFixtures
import Testing

@testable import FluxPage

/// A running app that does nothing, in a state that the test sets.
private final class PausedApp: LiveApp {
  private let state = Monitor((presentation: LivePresentation(), ending: LiveFailure?.none))
  let welcome = Welcome(AppDescription(name: "Counter"), process: 42, parts: [.live], log: nil)

  var presentation: LivePresentation {
    get { state.withLock { $0.presentation } }
    set { state.withLock { $0.presentation = newValue } }
  }

  var ending: LiveFailure? {
    get { state.withLock { $0.ending } }
    set { state.withLock { $0.ending = newValue } }
  }

  func ask(_ request: LiveRequest) throws(LiveFailure) -> JSON { [:] }
}

@Suite struct PageServerTests {
  private static let token = String(repeating: "5e", count: 32)

  private static func server(_ names: String..., services: Services = Services()) -> PageServer {
    let server = PageServer(token: token, program: "flux-inspect 0", services: services) {
      names.map { name in
        PageServer.Source(name: name) { () throws(LogError) in
          try LogFile.open(PageFixture.path(name))
        }
      }
    }
    server.listen(on: 8000)
    return server
  }

  private static func request(
    _ path: String, _ body: String = "{}", method: String = "POST", session: String? = "tab"
  ) -> PageHTTPRequest {
    PageHTTPRequest(
      method: method, path: path, host: "127.0.0.1:8000", token: token, session: session,
      body: Array(body.utf8))
  }

  /// The answer to a request, with its status if that is not 200.
  private static func ask(
    _ server: PageServer, _ path: String, _ body: String = "{}", session: String? = "tab"
  ) throws -> JSON {
    let response = server.respond(to: request("/data/" + path, body, session: session))
    guard case .bytes(let bytes) = response.body else { return .null }
    return try JSON.parse(bytes)
  }

  /// Runs a command in the console, and asks until it has ended, which takes more than one answer if the machine is busy.
  private static func run(
    _ server: PageServer, _ body: String, session: String? = "tab"
  ) throws -> JSON {
    var answer = try ask(server, "run", body, session: session)
    while answer["done"] == false, let job = answer["job"] {
      let earlier = answer["lines"]?.elements.reversed() ?? []
      answer = try ask(server, "run", #"{"job":\#(job.text)}"#, session: session)
      answer = try Patch(earlier.map { try .add(Pointer("/lines/0"), $0) }).applied(to: answer)
    }
    return answer
  }

  /// A server of a log of a counter to which 1, 2, and so on were added, with an app.
  ///
  /// A step without a count has no state in the log: the recorder was behind.
  private static func counter(_ counts: [Int?], in folder: TemporaryFolder) throws -> PageServer {
    let header =
      #"{"flux":"1.0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"#
      + #""app":{"name":"Counter","version":"1.0"},"#
      + #""stores":{"counter":{"type":"Counter","initial":{"count":0}}}}"#
    let steps = counts.enumerated().map { index, count in
      #"{"n":\#(index + 1),"t":\#(index + 1).000000,"action":{"type":"counter/add","#
        + #""payload":{"amount":\#(index + 1)}},"#
        + (count.map { #""states":{"counter":{"count":\#($0)}}}"# } ?? #""unwritten":["counter"]}"#)
    }
    let end = #"{"end":{"steps":\#(counts.count),"ok":true}}"#
    let text = ([header] + steps + [end]).map { "\($0)\n" }.joined()
    let path = try folder.write(text.utf8, to: "counter.jsonl")
    var services = Services()
    services.app = CounterApp()
    let server = PageServer(token: token, program: "flux-inspect 0", services: services) {
      [PageServer.Source(name: "counter.jsonl") { () throws(LogError) in try LogFile.open(path) }]
    }
    server.listen(on: 8000)
    return server
  }

  @Test("after verify in the console, the page knows the divergence and its states")
  func verification() throws {
    let folder = try TemporaryFolder()
    let server = try Self.counter([1, 7], in: folder)
    #expect(try Self.ask(server, "info")["divergences"]?.text == "[]")
    let run = try Self.run(server, #"{"line":"verify"}"#)
    #expect(run["verified"]?.bool == true, "\(run.text)")
    let found = try Self.ask(server, "info", session: "other")["divergences"]?.elements.first
    #expect(found?["row"]?.text == "2")
    #expect(found?["recorded"]?.text == "7")
    #expect(found?["replayed"]?.text == "3")
    #expect(found?["states"]?.bool == true)
    #expect(found?["sides"]?.text == #"["recorded","replayed"]"#)
    let lines = found?["text"]?.elements.compactMap(\.string) ?? []
    #expect(!lines.isEmpty && !lines.contains { $0.hasPrefix("  recorded:") }, "\(lines)")
    let change = try Self.ask(server, "difference", #"{"a":2,"b":2,"of":"replayed"}"#)["changes"]
    #expect(
      change?.text == #"[{"path":"/counter/count","op":"replace","old":7,"new":3}]"#)
  }

  @Test("the sides of two replays that differ have the names that the terminal prints")
  func sides() throws {
    let log = try PageFixture.log("counter.jsonl")
    var report = ReplayReport(log: "counter.jsonl")
    report.divergences = [
      Divergence(
        .different, step: 1, action: .null, comparison: .replays, recorded: 1, replayed: 2)
    ]
    log.note(report, of: CounterApp())
    let found = try log.ask("info")["divergences"]?[0]
    #expect(found?["sides"]?.text == #"["run 1","run 2"]"#)
    #expect(found?["text"]?.text.contains("run 1:") == false, "\(found?.text ?? "")")
  }

  @Test("states that the recorder left out are rebuilt by the app, and the page says so")
  func rebuilt() throws {
    let folder = try TemporaryFolder()
    let server = try Self.counter([1, nil, nil, 10], in: folder)
    let row = try Self.ask(server, "tree", #"{"place":3,"path":"","open":["/counter"]}"#)["rows"]
    let origin = "counter: rebuilt by replay from step 1, because the recorder was behind"
    #expect(row?[0]?["remark"]?.string == origin, "\(row?.text ?? "")")
    #expect(row?[1]?["value"] == 6)
    let difference = try Self.ask(server, "difference", #"{"b":3}"#)
    #expect(
      difference["changes"]?.text
        == #"[{"path":"/counter/count","op":"replace","old":3,"new":6}]"#)
    #expect(difference["notes"]?.elements.map(\.string) == [origin])
    #expect(difference["unwritten"] == nil)
  }

  @Test("a place on a fork of the console has the states of the fork, for its tab alone")
  func forks() throws {
    let folder = try TemporaryFolder()
    let server = try Self.counter([1, 3, 6], in: folder)

    let run = try Self.run(server, #"{"line":"redispatch 1..3 --skip 2"}"#)
    #expect(
      run["forks"]?.text == #"[{"fork":1,"row":0,"end":3,"steps":2,"rows":4,"first":3}]"#,
      "\(run.text)")
    #expect(run["fork"]?.text == "1")
    #expect(run["row"]?.text == "3")
    let repeated = try Self.run(
      server, #"{"line":"redispatch 1..3"}"#, session: "repeated")
    #expect(
      repeated["forks"]?.text
        == #"[{"fork":1,"row":0,"end":3,"steps":3,"rows":4,"same":true}]"#,
      "\(repeated.text)")
    let shortened = try Self.run(
      server, #"{"line":"redispatch 1..3 --skip 3"}"#, session: "shortened")
    #expect(shortened["forks"]?[0]?["steps"] == 2)
    #expect(shortened["forks"]?[0]?["first"] == nil)
    #expect(shortened["forks"]?[0]?["same"] == nil)
    let tree = try Self.ask(server, "tree", #"{"place":{"fork":1,"index":2},"path":"/counter"}"#)
    #expect(tree["place"]?.text == #"{"fork":1,"index":2}"#)
    #expect(tree["rows"]?.elements.first?["value"]?.text == "4", "\(tree.text)")
    let value = #"{"place":{"fork":1,"index":0},"path":"/counter/count"}"#
    #expect(try Self.ask(server, "value", value)["text"]?.string == "0")
    for (places, changes) in [
      (#""a":3,"b":{"fork":1,"index":2}"#, "/counter/count replace 6 4"),
      (#""a":{"fork":1,"index":1},"b":1"#, ""),
      (#""b":{"fork":1,"index":2}"#, "/counter/count replace 1 4"),
      (#""b":{"fork":1,"index":0}"#, ""),
    ] {
      let answer = try Self.ask(server, "difference", "{\(places)}")
      let found = (answer["changes"]?.elements.map { $0 } ?? []).map { change in
        ["path", "op", "old", "new"].map { change[$0].map { $0.string ?? $0.text } ?? "-" }
          .joined(separator: " ")
      }
      #expect(found.joined(separator: "\n") == changes, "\(places): \(answer.text)")
    }
    for (place, session, code) in [
      (#"{"fork":2,"index":0}"#, "tab", "not-found"),
      (#"{"fork":1,"index":3}"#, "tab", "bad-request"),
      (#"{"fork":1,"index":-1}"#, "tab", "bad-request"), (#"{"fork":1}"#, "tab", "bad-request"),
      (#"{"fork":1,"index":0}"#, "other", "not-found"),
    ] {
      let answer = try Self.ask(server, "tree", #"{"place":\#(place)}"#, session: session)
      #expect(answer["error"]?["code"]?.string == code, "\(place): \(answer.text)")
    }
  }

  @Test(
    "the rows of a fork are aligned with the recorded steps, and requests about it speak of them")
  func forkRows() throws {
    let folder = try TemporaryFolder()
    let server = try Self.counter([1, 3, 6], in: folder)
    _ = try Self.run(server, #"{"line":"redispatch 1..3 --skip 2"}"#)
    func rows(_ answer: JSON, _ name: String = "rows") -> [String] {
      (answer[name]?.elements.map { $0 } ?? []).map { row in
        ["row", "kind", "n", "repeats", "recordedRow"].map {
          row[$0].map { $0.string ?? $0.text } ?? "-"
        }
        .joined(separator: " ")
      }
    }
    let steps = try Self.ask(server, "steps", #"{"fork":1}"#)
    #expect(rows(steps) == ["0 start 0 - 0", "1 step 1 1 1", "2 left - 2 2", "3 step 2 3 3"])
    let step = try Self.ask(server, "step", #"{"fork":1,"row":3,"changes":9}"#)
    #expect(
      step["difference"]?["changes"]?.text
        == #"[{"path":"/counter/count","op":"replace","old":1,"new":4}]"#, "\(step.text)")
    #expect(step["before"]?.text == "1")
    let found = try Self.ask(server, "find", #"{"fork":1,"filter":"counter.count > 2"}"#)
    #expect(rows(found) == ["3 step 2 3 3"])
    #expect(
      try Self.ask(server, "locate", #"{"fork":1,"row":0,"position":"+1"}"#)["row"]?.text == "1")
    #expect(
      try Self.ask(server, "locate", #"{"fork":1,"row":0,"position":"2"}"#)["row"]?.text == "3")
    let writes = try Self.ask(server, "writes", #"{"fork":1,"row":3,"path":"/counter/count"}"#)
    let values = (writes["writes"]?.elements.map { $0 } ?? []).map { $0["value"]?.text ?? "-" }
    #expect(values == ["4", "1", "0"])
    for (row, rows) in [(0, ["1", "3"]), (1, ["3"]), (3, [])] {
      let later = try Self.ask(
        server, "writes",
        #"{"fork":1,"row":\#(row),"path":"/counter/count","direction":"forwards"}"#)
      #expect((later["writes"]?.elements.map { $0["row"]?.text ?? "-" } ?? []) == rows)
    }
    // Searches go on where they stopped, as those of the recording do.
    let first = try Self.ask(server, "find", #"{"fork":1,"limit":1}"#)
    #expect(rows(first) == ["1 step 1 1 1"] && first["next"]?.text == "3", "\(first.text)")
    #expect(rows(try Self.ask(server, "find", #"{"fork":1,"next":3}"#)) == ["3 step 2 3 3"])
    let back = #"{"fork":1,"direction":"backwards","from":2}"#
    #expect(rows(try Self.ask(server, "find", back)) == ["1 step 1 1 1"])
    let newest = #""fork":1,"path":"/counter/count","direction":"backwards""#
    let part = try Self.ask(server, "writes", "{\(newest),\"limit\":1}")
    let next = try #require(part["next"]?.text)
    #expect(part["writes"]?.elements.map { $0["value"]?.text } == ["4"])
    let others = try Self.ask(server, "writes", "{\(newest),\"next\":\(next)}")
    #expect(others["writes"]?.elements.map { $0["value"]?.text } == ["1", "0"])
    #expect(others["next"] == nil)
    #expect(try Self.ask(server, "effects", #"{"fork":1,"row":3}"#)["steps"]?.text == "[]")
    let beside = try Self.ask(server, "difference", #"{"fork":1,"a":{"recorded":3},"b":3}"#)
    #expect(
      beside["changes"]?.text
        == #"[{"path":"/counter/count","op":"replace","old":6,"new":4}]"#, "\(beside.text)")
    for (request, code) in [
      (#"{"fork":2}"#, "not-found"), (#"{"fork":"1"}"#, "bad-request"),
      (#"{"fork":1,"rows":[4]}"#, "bad-request"), (#"{"fork":1,"rows":[-1]}"#, "bad-request"),
    ] {
      let answer = try Self.ask(server, "steps", request)
      #expect(answer["error"]?["code"]?.string == code, "\(request): \(answer.text)")
    }
  }

  @Test("the console works at the place that the page shows, and tells where it went")
  func places() throws {
    let folder = try TemporaryFolder()
    let server = try Self.counter([1, 3, 6], in: folder)
    _ = try Self.run(server, #"{"line":"redispatch 1..3 --skip 2"}"#)
    func printed(_ request: String) throws -> JSON {
      try Self.run(server, #"{"line":"print counter.count",\#(request)}"#)
    }
    for (request, value, fork) in [
      (#""fork":1,"row":3"#, "4", "1"), (#""fork":1,"row":1"#, "1", "1"), (#""row":3"#, "6", nil),
    ] {
      let answer = try printed(request)
      #expect(answer["lines"]?.text.contains(value) == true, "\(answer.text)")
      #expect(answer["fork"]?.text == fork)
    }
    #expect(try Self.ask(server, "info")["forks"]?.elements.count == 1)
    #expect(try Self.ask(server, "info", session: "other")["forks"] == nil)
  }

  private static let table: [(PageHTTPRequest, Int)] = [
    (PageHTTPRequest(method: "GET", path: "/", host: "127.0.0.1:8000"), 200),
    (PageHTTPRequest(method: "HEAD", path: "/", host: "localhost:8000"), 200),
    (PageHTTPRequest(method: "GET", path: "/style.css", host: "127.0.0.1:8000"), 200),
    (PageHTTPRequest(method: "GET", path: "/other.css", host: "127.0.0.1:8000"), 404),
    (PageHTTPRequest(method: "GET", path: "/../Package.swift", host: "127.0.0.1:8000"), 404),
    (PageHTTPRequest(method: "GET", path: "/"), 421),
    (PageHTTPRequest(method: "GET", path: "/", host: "127.0.0.1"), 421),
    (PageHTTPRequest(method: "GET", path: "/", host: "127.0.0.1:8001"), 421),
    (PageHTTPRequest(method: "GET", path: "/", host: "evil.example:8000"), 421),
    (
      PageHTTPRequest(
        method: "GET", path: "/", host: "127.0.0.1:8000", origin: "http://evil.example"), 403
    ),
    (PageHTTPRequest(method: "GET", path: "/", host: "127.0.0.1:8000", origin: "null"), 403),
    (
      PageHTTPRequest(
        method: "GET", path: "/", host: "127.0.0.1:8000", origin: "https://127.0.0.1:8000"),
      403
    ),
    (
      PageHTTPRequest(
        method: "GET", path: "/", host: "127.0.0.1:8000", origin: "http://127.0.0.1:8000"),
      200
    ),
    (PageHTTPRequest(method: "POST", path: "/", host: "127.0.0.1:8000"), 405),
    (PageHTTPRequest(method: "OPTIONS", path: "/data/info", host: "127.0.0.1:8000"), 405),
    (
      PageHTTPRequest(method: "GET", path: "/data/info", host: "127.0.0.1:8000", token: token),
      405
    ),
    (PageHTTPRequest(method: "POST", path: "/data/info", host: "127.0.0.1:8000"), 403),
    (
      PageHTTPRequest(
        method: "POST", path: "/data/info", host: "127.0.0.1:8000",
        token: String(repeating: "5f", count: 32)), 403
    ),
    (PageHTTPRequest(method: "POST", path: "/data/info", host: "127.0.0.1:8000", token: ""), 403),
    (
      PageHTTPRequest(method: "POST", path: "/data/info", host: "127.0.0.1:8000", token: token),
      200
    ),
    (
      PageHTTPRequest(method: "POST", path: "/data/other", host: "127.0.0.1:8000", token: token),
      404
    ),
    (PageHTTPRequest(method: "POST", path: "/data/other", host: "127.0.0.1:8000"), 403),
    (
      PageHTTPRequest(method: "POST", path: "/data/run", host: "127.0.0.1:8000", token: token),
      400
    ),
    (
      PageHTTPRequest(
        method: "POST", path: "/data/info", host: "127.0.0.1:8000", token: token, body: [0x7B]),
      400
    ),
    (
      PageHTTPRequest(
        method: "POST", path: "/data/info", host: "127.0.0.1:8000", token: token,
        body: Array(repeating: 0x20, count: 1 << 20 + 1)), 413
    ),
  ]

  @Test(
    "a request from elsewhere, without the token or with another method is refused",
    arguments: table)
  func refusals(_ request: PageHTTPRequest, _ status: Int) {
    let response = Self.server("shop.jsonl").respond(to: request)
    #expect(response.status == status)
    #expect(response.headers.contains { $0.name == "Content-Security-Policy" })
  }

  @Test("no token but the server's is accepted, whatever its digits")
  func tokens() {
    let server = Self.server("shop.jsonl")
    var random = SeededGenerator()
    let digits = Array("0123456789abcdef")
    for _ in 0..<1000 {
      let token = String((0..<64).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
      let request = PageHTTPRequest(
        method: "POST", path: "/data/info", host: "127.0.0.1:8000", token: token)
      #expect(server.respond(to: request).status == 403, "\(token)")
    }
  }

  @Test("a server that does not listen yet answers nobody")
  func beforeListening() {
    let server = PageServer(token: Self.token, program: "", services: Services()) { [] }
    let request = PageHTTPRequest(method: "GET", path: "/", host: "127.0.0.1:0")
    #expect(server.respond(to: request).status == 421)
  }

  @Test("a file is compressed for a client that asks for it")
  func compression() throws {
    let request = PageHTTPRequest(
      method: "GET", path: "/style.css", host: "127.0.0.1:8000", encodings: "gzip, br")
    let response = Self.server("shop.jsonl").respond(to: request)
    #expect(response.headers.contains { $0.name == "Content-Encoding" && $0.value == "gzip" })
    guard case .bytes(let bytes) = response.body else { return }
    #expect(gunzip(bytes) == Array(PageFiles.style.utf8))
  }

  @Test("a folder's logs are served by their names")
  func logs() throws {
    let server = Self.server("shop.jsonl", "counter.jsonl")
    #expect(try Self.ask(server, "info")["logs"]?.text == #"["shop.jsonl","counter.jsonl"]"#)
    #expect(
      try Self.ask(server, "info", #"{"log":"counter.jsonl"}"#)["file"]?.string == "counter.jsonl")
    #expect(
      try Self.ask(server, "info", #"{"log":"../secret"}"#).text
        == #"{"error":{"code":"not-found","message":"there is no log ../secret"}}"#)
  }

  @Test("an integer at the edges never stops the server: it is a place in the list, or refused")
  func edges() throws {
    let server = Self.server("shop.jsonl")
    let edges = [Int.min, .min + 1, -1, 0, 1, .max - 1, .max].map(String.init)
    let steps = #""place":3,"row":3,"a":1,"b":3,"path":"/cart/total""#
    for name in [
      "steps", "step", "overview", "series", "tree", "value", "difference", "find", "writes",
      "chain",
      "effects", "locate", "info", "complete", "run", "events",
    ] {
      for member in [
        "from", "to", "next", "count", "limit", "buckets", "points", "depth", "row", "a", "b",
        "place",
        "cursor", "job", "since",
      ] {
        for edge in edges {
          for more in [#""direction":"backwards""#, #""direction":"forwards""#] {
            // A member that comes twice counts as its last value.
            let body = "{\(steps),\(more),\"\(member)\":\(edge)}"
            let response = server.respond(to: Self.request("/data/" + name, body))
            #expect([200, 400, 404, 422].contains(response.status), "\(name) \(body)")
          }
        }
      }
    }
    for edge in edges {
      for body in [
        #"{"place":{"fork":\#(edge),"index":\#(edge)}}"#, #"{"rows":[\#(edge)]}"#,
        #"{"path":"cart.total","next":[\#(edge),1,0,\#(edge)]}"#,
        #"{"path":"cart.total","next":[1,0,\#(edge),\#(edge)]}"#,
      ] {
        for name in ["tree", "steps", "writes", "difference"] {
          let response = server.respond(to: Self.request("/data/" + name, body))
          #expect([200, 400, 404, 422].contains(response.status), "\(name) \(body)")
        }
      }
    }
    let rows = try #require(try Self.ask(server, "info")["rows"]?.number?.int64)
    let last = "{\"from\":\(Int.max),\"count\":\(Int.max)}"
    #expect(
      try Self.ask(server, "steps", last).text == #"{"from":\#(rows),"rows":[],"total":\#(rows)}"#)
    let first = try Self.ask(server, "find", "{\"from\":\(Int.min)}")
    #expect(first.text == (try Self.ask(server, "find")).text)
  }

  // MARK: The console

  @Test("a command moves from the row of the page, and answers with the row it led to")
  func run() throws {
    let server = Self.server("shop.jsonl")
    #expect(
      try Self.run(server, #"{"line":"step","row":10}"#).text == """
        {"job":1,"done":true,"line":"step","lines":[[["11 ","number"],["checkout/pay","action"],\
        [" +11.529743s","dim"]],[["  changed: checkout","dim"]],\
        [["  effects: checkout: pay","dim"]]],"ok":true,"row":12,"notes":[]}
        """)
    let back = try Self.run(server, #"{"line":"undo"}"#)
    #expect(back["row"]?.text == "10")
    let wrong = try Self.run(server, #"{"line":"print cart.totl"}"#)
    #expect(wrong["error"]?["code"]?.string == "no-path")
    #expect(wrong["ok"]?.bool == false)
  }

  @Test(
    "what needs files, a shell or a terminal is refused",
    arguments: [
      "!ls", "source x", "save x", "test", "export redux x", "alias a b", "browse", "play", "quit",
      "state > x", "state | cat", "q",
    ])
  func refused(_ line: String) throws {
    let server = Self.server("shop.jsonl")
    let answer = try Self.run(server, "{\"line\":\(JSON(stringLiteral: line).text)}")
    #expect(answer["error"]?["code"]?.string == "usage")
  }

  @Test("a command whose output would go to a file does not run, and no hint names a file")
  func redirected() throws {
    let server = Self.server("shop.jsonl")
    let move = try Self.run(server, #"{"line":"goto 5 > x.txt"}"#)
    #expect(
      move.text == """
        {"job":1,"done":true,"line":"goto 5 > x.txt","lines":[],"ok":false,"row":0,"notes":[],"error":\
        {"code":"usage","message":"there are no files and no shell here, so '|' and '>' lead nowhere"}}
        """)
    let comparison = try Self.run(server, #"{"line":"print cart.total > x.txt"}"#)
    #expect(
      comparison["error"]?.text
        == #"{"code":"usage","message":"here '>' compares, and there is no store x"}"#)
  }

  @Test("a command that needs a terminal is answered with the line that opens the log in one")
  func terminalLine() throws {
    let answer = try Self.run(Self.server("shop.jsonl"), #"{"line":"browse"}"#)
    #expect(
      answer["error"]?["hint"]?.string
        == "run it in flux-inspect \(PageFixture.path("shop.jsonl").shellPath)")
  }

  @Test("without a thread for a command, the page gets an error, and can run the next one")
  func withoutThread() throws {
    let server = Self.server("shop.jsonl")
    let failure = SystemError("start a thread for", code: EAGAIN)
    let answer = try RefusedThreads.$failure.withValue(failure) {
      try Self.run(server, #"{"line":"step","row":10}"#)
    }
    #expect(answer["error"]?["message"]?.string == failure.text(about: "the command"))
    #expect(try Self.run(server, #"{"line":"step","row":10}"#)["row"]?.text == "12")
  }

  @Test("a tab has a console of its own, and there are eight")
  func sessions() throws {
    let server = Self.server("shop.jsonl")
    for tab in 0..<8 {
      let answer = try Self.run(
        server, "{\"line\":\"step\",\"row\":\(tab)}", session: "tab\(tab)")
      #expect(answer["done"]?.bool == true)
    }
    let ninth = try Self.run(server, #"{"line":"step"}"#, session: "tab8")
    #expect(ninth["error"]?["code"]?.string == "too-many-sessions")
    #expect(try Self.run(server, #"{"line":"undo"}"#, session: "tab3")["row"]?.text == "3")
    let bad = try Self.run(server, #"{"line":"step"}"#, session: "a b")
    #expect(bad["error"]?["code"]?.string == "bad-request")
  }

  @Test("the console completes lines")
  func complete() throws {
    let server = Self.server("shop.jsonl")
    #expect(
      try Self.ask(server, "complete", #"{"line":"goto cart/a","cursor":11}"#).text
        == #"{"from":5,"to":11,"candidates":[{"text":"cart/add#"}]}"#)
  }

  // MARK: Events

  @Test("a pause and the end of the running app become events")
  func appEvents() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"flux":"1.0","stores":{"a":{"initial":0}}}"# + "\n", to: "log")
    let app = PausedApp()
    var services = Services()
    services.live = app
    let server = PageServer(token: Self.token, program: "", services: services) {
      [.init(name: "log") { () throws(LogError) in try LogFile.open(path) }]
    }
    server.listen(on: 8000)
    let response = server.respond(to: Self.request("/data/events", #"{"since":1}"#))
    guard case .events(var events) = response.body else {
      Issue.record("no events")
      return
    }
    for (isPaused, ending, event) in [
      (false, nil, #"{"event":"app","paused":false,"ended":false}"#),
      (true, nil, #"{"event":"app","paused":true,"ended":false}"#),
      (false, nil, #"{"event":"app","paused":false,"ended":false}"#),
      (true, LiveFailure.gone, #"{"event":"app","paused":true,"ended":true}"#),
    ] {
      (app.presentation, app.ending) = (LivePresentation(isPaused: isPaused), ending)
      #expect(events.poll().map { String(decoding: $0, as: UTF8.self) } == event + "\n")
      #expect(events.poll() == [])
    }
  }

  @Test("a line in the file becomes an event")
  func events() throws {
    let folder = try TemporaryFolder()
    let start = """
      {"flux":"1.0","stores":{"a":{"initial":0}}}
      {"n":1,"t":0,"action":{"type":"a"},"states":{"a":1}}

      """
    try folder.write(start, to: "log.jsonl")
    let path = folder.path("log.jsonl")
    let server = PageServer(token: Self.token, program: "", services: Services()) {
      [.init(name: "log.jsonl") { () throws(LogError) in try LogFile.open(path) }]
    }
    server.listen(on: 8000)
    _ = try Self.run(server, #"{"line":"end"}"#)
    let response = server.respond(to: Self.request("/data/events", #"{"since":2}"#))
    guard case .events(var events) = response.body else {
      Issue.record("no events")
      return
    }
    #expect(events.poll() == [])
    #expect(events.poll() == [])
    try folder.write(
      start + #"{"n":2,"t":1,"action":{"type":"b"},"states":{"a":2}}"# + "\n", to: "log.jsonl")
    #expect(
      events.poll().map { String(decoding: $0, as: UTF8.self) } == """
        {"event":"rows","rows":3,"steps":2,"last":{"n":2,"row":2,"t":1},"bytes":150,"indexed":150,\
        "complete":true,"closed":false}

        """)
    #expect(try Self.ask(server, "steps", #"{"from":2}"#)["total"]?.text == "3")
    try folder.write(start, to: "log.jsonl")
    let gone = events.poll() ?? []
    #expect(String(decoding: gone, as: UTF8.self).hasPrefix(#"{"event":"gone","message":""#))
    #expect(events.poll() == nil)
  }

  @Test("the oldest of five clients that follow a log makes room")
  func turns() {
    let server = Self.server("counter.jsonl")
    var streams = (1...5).compactMap { tab -> PageEvents? in
      let request = Self.request("/data/events", session: "tab\(tab)")
      guard case .events(let events) = server.respond(to: request).body else { return nil }
      return events
    }
    let areOver = streams.indices.map { streams[$0].poll() == nil }
    #expect(areOver == [true, false, false, false, false])
  }

  @Test("a client gets a message if another recording takes the place of the log")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"flux":"1.0","log":"a"}"# + "\n", to: "log.jsonl")
    let server = PageServer(token: Self.token, program: "", services: Services()) {
      [.init(name: "log.jsonl") { () throws(LogError) in try LogFile.open(path) }]
    }
    server.listen(on: 8000)
    let response = server.respond(to: Self.request("/data/events"))
    guard case .events(var events) = response.body else {
      Issue.record("no events")
      return
    }
    _ = events.poll()
    try folder.replace("log.jsonl", with: #"{"flux":"1.0","log":"b"}"#.utf8)
    #expect(
      events.poll().map { String(decoding: $0, as: UTF8.self) } == """
        {"event":"gone","message":"another recording is at \(path) now; \
        reload the page to see it","reload":true}

        """)
  }

  @Test("a page keeps its recording until it is loaded again, and then gets the one in its place")
  func reopened() throws {
    let folder = try TemporaryFolder()
    func recording(_ id: String, _ count: Int) -> [UInt8] {
      let header = #"{"flux":"1.0","log":"\#(id)","stores":{"a":{"initial":0}}}"#
      let steps = (1...count).map {
        #"{"n":\#($0),"t":\#($0),"action":{"type":"\#(id)"},"states":{"a":\#($0)}}"#
      }
      return Array(([header] + steps).map { $0 + "\n" }.joined().utf8)
    }
    let path = try folder.write(recording("one", 2), to: "log.jsonl")
    let server = PageServer(token: Self.token, program: "", services: Services()) {
      [.init(name: "log.jsonl") { () throws(LogError) in try LogFile.open(path) }]
    }
    server.listen(on: 8000)
    func loaded() throws -> [String?] {
      let info = try Self.ask(server, "info")
      return [info["log"]?.string, info["opening"]?.text, info["steps"]?.text]
    }
    #expect(try loaded() == ["one", "0", "2"])
    #expect(try loaded() == ["one", "0", "2"])
    _ = try Self.run(server, #"{"opening":0,"line":"goto 1"}"#)
    try folder.replace("log.jsonl", with: recording("two", 3))
    // The page that is open goes on with what it shows.
    #expect(try Self.ask(server, "steps", #"{"opening":0}"#)["total"]?.text == "3")
    #expect(try loaded() == ["two", "1", "3"])
    #expect(
      try Self.ask(server, "steps", #"{"opening":0}"#).text == """
        {"error":{"code":"gone","message":"another recording has taken the place of this one; \
        reload the page to see it"}}
        """)
    #expect(server.respond(to: Self.request("/data/steps", #"{"opening":0}"#)).status == 410)
    let place = try Self.run(server, #"{"opening":1,"line":"where"}"#)
    #expect(place["row"] == 0, "\(place.text)")
    // A file that became shorter is another one, too.
    try folder.write(recording("two", 1), to: "log.jsonl")
    let response = server.respond(to: Self.request("/data/events", #"{"opening":1}"#))
    guard case .events(var events) = response.body else {
      Issue.record("no events")
      return
    }
    _ = events.poll()
    #expect(try loaded() == ["two", "2", "1"])
  }

  @Test("a page that is loaded gets the logs that are in the folder then")
  func listedAgain() throws {
    let names = Mutex(["counter.jsonl"])
    let server = PageServer(token: Self.token, program: "", services: Services()) {
      names.withLock { $0 }.map { name in
        .init(name: name) { () throws(LogError) in try LogFile.open(PageFixture.path(name)) }
      }
    }
    server.listen(on: 8000)
    #expect(try Self.ask(server, "info")["logs"]?.text == #"["counter.jsonl"]"#)
    names.withLock { $0 = ["chat.jsonl", "counter.jsonl"] }
    // The first page still shows its log, which is no longer the first.
    #expect(try Self.ask(server, "info", #"{"opening":0}"#)["file"] == "counter.jsonl")
    let info = try Self.ask(server, "info")
    #expect(info["logs"]?.text == #"["chat.jsonl","counter.jsonl"]"#)
    #expect(info["file"] == "chat.jsonl")
    #expect(try Self.ask(server, "info", #"{"log":"counter.jsonl"}"#)["opening"] == 0)
  }

  @Test("a name that only looks like that of another log opens its own log")
  func accents() throws {
    let logs = PageLogs(isLive: false) {
      ["\u{E9}", "e\u{301}"].map { name in
        PageServer.Source(name: name) { () throws(LogError) in
          try LogFile.open(PageFixture.path("counter.jsonl"))
        }
      }
    }
    for name in ["e\u{301}", "\u{E9}"] {
      let members = JSON(object: [("log", JSON(stringLiteral: name))])
      let log = try logs.log(of: PageRequest(members, deadline: .now))
      #expect(log.name.utf8.elementsEqual(name.utf8))
    }
  }
}
