import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxEditor

/// An app whose description takes until it is cancelled.
private struct BlockingApp: ReplayApp {
  let isCancelled: @Sendable () -> Bool
  let began: Monitor<Bool>

  func describe() throws(ReplayFailure) -> AppDescription {
    began.withLock { $0 = true }
    began.signal()
    let never = Monitor(())
    let deadline = ContinuousClock.now + .seconds(20)
    while !isCancelled(), ContinuousClock.now < deadline {
      never.waitUntil(milliseconds: 5, { _ in false }) { _ in }
    }
    throw ReplayFailure(.cancelled)
  }

  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    throw ReplayFailure(.cancelled)
  }
}

@Suite struct ConnectionTests {
  let shop: RecordedShop

  init() throws { shop = try RecordedShop() }

  /// A client whose `continue` searches until it is interrupted.
  private func searching() throws -> (DebugClient, request: Int) {
    let began = Monitor(false)
    let client = try DebugClient(app: { BlockingApp(isCancelled: $0, began: began) })
    try client.launch(shop.arguments(["app": "blocking", "position": 4]))
    try client.ask("setExceptionBreakpoints", ["filters": ["divergence"]])
    let request = try client.send("continue", ["threadId": 1])
    _ = try client.response(to: request)
    #expect(began.waitUntil(milliseconds: 5000, { $0 }) { $0 })
    return (client, request)
  }

  @Test("a launch takes paths as URLs, as requests about sources do")
  func fileURLs() throws {
    let client = try DebugClient()
    func url(_ path: String) -> JSON {
      .init(stringLiteral: URL(fileURLWithPath: path).absoluteString)
    }
    try client.launch([
      "program": url(shop.log), "sourceRoots": [url(shop.folder.path("App"))], "position": 8,
    ])
    #expect(
      try client.frames().first?["source"]?["path"]?.string == shop.source("Shop/Cart.swift"))
  }

  @Test("pause interrupts a search, which stays where it was")
  func pause() throws {
    let (client, _) = try searching()
    try client.ask("pause", ["threadId": 1])
    #expect(try client.stop() == "pause: 4 cart/add")
  }

  @Test("cancel interrupts a search by its request, and removes one that waits")
  func cancel() throws {
    let (client, request) = try searching()
    let waiting = try client.send("evaluate", ["expression": "print 1", "context": "repl"])
    try client.ask("cancel", ["requestId": .init(integerLiteral: Int64(waiting))])
    #expect(try client.response(to: waiting)["message"] == "cancelled")
    try client.ask("cancel", ["requestId": .init(integerLiteral: Int64(request))])
    #expect(try client.stop() == "pause: 4 cart/add")
  }

  @Test("requests that read are answered while a search runs")
  func reads() throws {
    let (client, _) = try searching()
    #expect(try client.ask("threads")["threads"]?.count == 1)
    #expect(try client.variables("cart").count == 2)
    #expect(try client.ask("evaluate", ["expression": "cart.total"])["result"] == "480")
    try client.ask("disconnect")
    #expect(client.waitForEnd() == .closed)
  }

  @Test("changed breakpoints interrupt a search, which goes on with them")
  func changedBreakpoints() throws {
    let (client, _) = try searching()
    try client.ask("setFunctionBreakpoints", ["breakpoints": [["name": "search/open"]]])
    try client.ask("setExceptionBreakpoints", ["filters": []])
    #expect(try client.stop() == "function breakpoint: 6 search/open")
  }

  @Test("a client that vanishes ends the session, also in the middle of a search")
  func vanished() throws {
    var client: DebugClient? = try searching().0
    let end = client?.closing()
    client = nil
    #expect(end?() == .closed)
  }

  @Test("two sessions at once do not meet")
  func two() throws {
    let (one, two) = (try DebugClient(), try DebugClient())
    try one.launch(shop.arguments(["position": 1]))
    try two.launch(shop.arguments(["position": 7]))
    #expect(try one.move("stepIn") == "step: 2 cart/saved")
    #expect(try two.move("stepBack") == "step: 6 search/open")
  }

  @Test("unknown requests, wrong arguments and logs that cannot be opened are error responses")
  func refusals() throws {
    let client = try DebugClient()
    #expect(try client.refusal("threads") == "the first request must be initialize")
    try client.ask("initialize", ["adapterID": "flux"])
    #expect(try client.refusal("threads") == "there is no log: launch or attach first")
    #expect(
      try client.refusal("launch", [:]) == "launch: the log is missing; name it as \"program\"")
    let missing = shop.folder.path("none.jsonl")
    #expect(
      try client.refusal("launch", ["program": .init(stringLiteral: missing)])
        == "\(missing): cannot open: No such file or directory")
    #expect(
      try client.refusal("launch", shop.arguments(["position": "nowhere"]))
        == "nowhere is not a position: write 42, 50%, end, @12.5 or todo/add#3")
    try client.ask("launch", shop.arguments())
    #expect(
      try client.refusal("teleport") == "unknown request teleport")
    #expect(
      try client.refusal("stackTrace", ["threadId": 9])
        == "there is no thread 9; 1 is the recording")
    #expect(try client.refusal("initialize", ["adapterID": "flux"]) == "initialize was sent before")
  }

  @Test("an app that cannot be started is a refused launch, and another launch can follow")
  func noExecutable() throws {
    let client = try DebugClient(app: { _ in
      throw ReplayFailure(.cannotStart(why: "there is no such file"), app: "/nope")
    })
    try client.ask("initialize", ["adapterID": "flux"])
    #expect(
      try client.refusal("launch", shop.arguments(["app": "/nope"]))
        == "/nope: the app cannot be replayed: there is no such file")
    try client.ask("launch", shop.arguments())
    #expect(!client.all.contains { $0["event"] == "capabilities" })
  }

  @Test("an integer at the edges never ends the adapter")
  func edges() throws {
    let client = try DebugClient()
    try client.launch(shop.arguments(["position": 8]))
    let frame = try #require(try client.frames().first?["id"])
    let variables = try client.reference(of: "cart")
    let source: JSON = ["path": "Cart.swift"]
    let requests: [(String, [String], JSON)] = [
      ("stackTrace", ["threadId", "startFrame", "levels"], ["threadId": 1]),
      ("scopes", ["frameId"], [:]),
      (
        "variables", ["variablesReference", "start", "count"],
        ["variablesReference": variables, "filter": "named"]
      ),
      ("source", ["sourceReference"], [:]), ("modules", ["startModule", "moduleCount"], [:]),
      ("exceptionInfo", ["threadId"], [:]), ("evaluate", ["frameId"], ["expression": "cart.total"]),
      ("completions", ["frameId", "column", "line"], ["text": "print c", "column": 7]),
      (
        "dataBreakpointInfo", ["variablesReference", "frameId"],
        ["name": "total", "variablesReference": variables]
      ),
      ("breakpointLocations", ["line", "endLine"], ["source": source, "line": 1]),
      ("gotoTargets", ["line"], ["source": source]),
      ("goto", ["threadId", "targetId"], ["threadId": 1, "targetId": 1]),
      ("stepIn", ["threadId"], [:]), ("restartFrame", ["frameId"], ["frameId": frame]),
      (
        "setVariable", ["variablesReference"],
        ["variablesReference": variables, "name": "total", "value": "1"]
      ),
      ("cancel", ["requestId"], [:]),
    ]
    for (command, members, arguments) in requests {
      for member in members {
        for edge in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
          var rest = arguments.members.filter { $0.name != member }.map { ($0.name, $0.value) }
          rest.append((member, JSON(integerLiteral: edge)))
          let all = JSON(writing: { writer in
            writer.beginObject()
            for (name, value) in rest { writer.member(name, value) }
            writer.endObject()
          })
          // A refusal is as good an answer as any.
          _ = try client.response(to: try client.send(command, all))
        }
      }
    }
    for line in [Int64.min, -1, .max] {
      try client.ask(
        "setBreakpoints",
        ["source": source, "breakpoints": [["line": JSON(integerLiteral: line)]]])
    }
    #expect(try client.ask("evaluate", ["expression": "cart.total"])["result"] == "0")
  }

  @Test("the first request may have the number 0")
  func zero() throws {
    let client = try DebugClient()
    let text = #"{"seq":0,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}"#
    client.send(bytes: MessageFraming.framed(Array(text.utf8)))
    #expect(try client.response(to: 0)["success"] == true)
  }

  @Test(
    "what is not the protocol ends the session with the reason",
    arguments: [
      (
        "GET / HTTP/1.1\r\n\r\n",
        "expected Content-Length or Content-Type, found \"GET / HTTP/1.1\""
      ),
      (
        "POST http://127.0.0.1/ HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
        "expected Content-Length or Content-Type, found \"POST http://127.0.0.1/ HTTP/1.1\""
      ),
      ("Content-Length: two\r\n\r\n{}", "Content-Length is \"two\", not a number of bytes"),
      ("Content-Length: -1\r\n\r\n{}", "Content-Length is \"-1\", not a number of bytes"),
      (
        "Content-Length: 99999999999\r\n\r\n",
        "a message has 99999999999 bytes; no request here has more than 67108864"
      ),
      (
        "Accept: all\r\nContent-Length: 2\r\n\r\n{}",
        "expected Content-Length or Content-Type, found \"Accept: all\""
      ),
      ("Content-Type: json\r\n\r\n{}", "a header has no Content-Length"),
      ("Content-Length: 2\r\n\r\n[]", "a message is not an object"),
      ("Content-Length: 2\r\n\r\n{}", "a message has no type"),
    ])
  func malformed(_ text: String, _ reason: String) throws {
    let client = try DebugClient()
    client.send(bytes: Array(text.utf8))
    #expect(client.waitForEnd() == .malformed(reason))
  }

  @Test("Without a thread for a client, nobody waits for its requests")
  func withoutThread() throws {
    let pair = try #require(makeStreamPair())
    let (client, stream) = (Descriptor(pair.writing), Descriptor(pair.reading))
    let world = AdapterWorld(
      open: { try LogFile.open($0) }, app: { _, _ in throw ReplayFailure(.cancelled) })
    let adapter = DebugAdapter(ClientConnection(reading: stream, writing: stream), world)
    let failure = SystemError("start a thread for", code: EAGAIN)
    #expect(RefusedThreads.$failure.withValue(failure) { adapter.run() } == .refused(failure))
    withExtendedLifetime(client) {}
  }

  @Test("A wrong argument is named by its path")
  func wrongArgument() {
    let request = Request(
      seq: 1, command: "setBreakpoints",
      arguments: ["source": [:], "breakpoints": [["line": 1], ["line": "x"]]])
    #expect(
      throws: RequestError("setBreakpoints: breakpoints[1].line: expected a number, found a string")
    ) {
      try request.decoded(SetBreakpointsArguments.self)
    }
  }
}

extension DebugClient {
  /// Returns a call that waits for the end of the adapter after this client is gone.
  fileprivate func closing() -> @Sendable () -> DebugAdapter.End? {
    { [end = adapterEnd] in end.waitUntil(milliseconds: 5000, { $0 != nil }) { $0 } }
  }
}

@Suite struct MessageFramingTests {
  @Test("messages come out whole, however the stream is cut")
  func pieces() throws {
    var random = SeededGenerator()
    let messages = (0..<40).map { _ in
      (0..<Int.random(in: 0...300, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
    }
    let stream = messages.flatMap(MessageFraming.framed)
    for _ in 0..<50 {
      var framing = MessageFraming()
      var rest = stream[...]
      var found: [[UInt8]] = []
      while !rest.isEmpty {
        let count = Int.random(in: 1...40, using: &random)
        framing.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
        while let message = try framing.next() { found.append(message) }
      }
      #expect(found == messages)
    }
  }

  @Test("no bytes crash it: each stream is messages, a wait for more, or an error")
  func fuzz() {
    var random = SeededGenerator()
    let pieces = ["Content-Length: ", "content-length:", "5", "\r\n", "\n", "\r", "{}", ":", "x"]
    for _ in 0..<2000 {
      var framing = MessageFraming()
      do throws(MessageFraming.Malformed) {
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          framing.append(Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8))
          while let message = try framing.next() { _ = try Request.reading(message) }
        }
      } catch {
        #expect(!error.message.isEmpty)
      }
    }
  }
}

@Suite struct TokenGateTests {
  private static let token = "0123456789abcdef0123456789abcdef"

  private static func request(_ command: String, _ shown: String? = nil) throws -> Request {
    let arguments = shown.map { #"{"token":"\#($0)"}"# } ?? "{}"
    let text = #"{"seq":1,"type":"request","command":"\#(command)","arguments":\#(arguments)}"#
    return try #require(try Request.reading(Array(text.utf8)))
  }

  @Test("only the token opens a gate, and then every request passes")
  func token() throws {
    var gate = TokenGate(AccessToken(Self.token))
    try gate.check(Self.request("initialize"))
    try gate.check(Self.request("disconnect"))
    for (command, shown) in [
      ("evaluate", Self.token), ("launch", nil), ("launch", ""), ("attach", "0"),
      ("launch", "f" + Self.token.dropFirst()), ("launch", Self.token + "0"),
    ] {
      #expect(throws: RequestError.self) { try gate.check(Self.request(command, shown)) }
      #expect(!gate.isOpen)
    }
    try gate.check(Self.request("launch", Self.token))
    #expect(gate.isOpen)
    try gate.check(Self.request("evaluate"))
  }

  @Test("without a token, the gate is open")
  func none() throws {
    var gate = TokenGate(nil)
    try gate.check(Self.request("evaluate"))
  }
}

@Suite struct SessionPhaseTests {
  @Test("a session begins once it has a log and is configured, in either order")
  func begin() {
    var phase = SessionPhase.created
    #expect(phase.receive(.initialize) == .perform)
    #expect(phase.receive(.use) == .refuse("there is no log: launch or attach first"))
    #expect(phase.receive(.breakpoints) == .perform)
    #expect(phase.receive(.configured) == .perform)
    #expect(phase.receive(.opened) == .begin)
    #expect(phase == .begun)
    phase = .initialized(isOpen: false, isConfigured: false)
    #expect(phase.receive(.open) == .perform)
    #expect(phase.receive(.opened) == .perform)
    #expect(phase.receive(.configured) == .begin)
    #expect(phase.receive(.configured) == .perform)
    #expect(phase.receive(.open) == .refuse("the session has a log"))
    #expect(phase.receive(.terminate) == .perform)
    for event in [SessionPhase.Event.use, .breakpoints] {
      #expect(phase.receive(event) == .refuse("the session has ended"))
    }
    #expect(phase.receive(.terminate) == .perform)
  }

  @Test("nothing comes before initialize, and it comes once")
  func order() {
    var phase = SessionPhase.created
    for event in [SessionPhase.Event.use, .breakpoints] {
      #expect(phase.receive(event) == .refuse("the first request must be initialize"))
    }
    #expect(phase.receive(.initialize) == .perform)
    #expect(phase.receive(.initialize) == .refuse("initialize was sent before"))
  }
}

@Suite struct HitConditionTests {
  @Test(
    "hits count from one",
    arguments: [
      ("2", [20]), ("==2", [20]), ("> 2", [30, 40]), (">=2", [20, 30, 40]), ("%2", [20, 40]),
    ])
  func filter(_ text: String, _ expected: [Int]) throws {
    #expect(try HitCondition(text).filter([10, 20, 30, 40]) == expected)
  }

  @Test("other texts are refused", arguments: ["", "x", "<2", "%0", "2x", "-1"])
  func refused(_ text: String) {
    #expect(throws: RequestError.self) { try HitCondition(text) }
  }
}
