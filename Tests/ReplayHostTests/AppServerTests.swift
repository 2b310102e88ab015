import Counter
import FluxJSON
import FluxLog
import FluxSystem
import Testing

@testable import FluxReplay

/// The server without processes and sockets: lines in, lines out.
@Suite struct AppServerTests {
  /// A client of a server whose requests run when a test says so.
  final class Side: Sendable {
    private let lines = Monitor<[String]>([])
    private let queue = JobQueue("replay", hasThread: true)
    private let server: AppServer
    let client: AppClient

    init(
      _ app: any ReplayApp = CounterApp(), isSpawned: Bool = true,
      allowing: [AppProtocol.Permission] = [.replay], verifying logs: LogPart? = nil,
      answerByteCount: Int = AppProtocol.messageByteCount
    ) {
      let lines = lines
      client = AppClient { bytes in
        #expect(bytes.last == UInt8(ascii: "\n"))
        lines.withLock { $0.append(String(decoding: bytes.dropLast(), as: UTF8.self)) }
        return bytes.count
      }
      let part = ReplayPart(
        app, on: queue, isSpawned: isSpawned, verifying: logs, answerByteCount: answerByteCount)
      server = AppServer([part], allowing: Set(allowing)) {
        Welcome(app: try app.describe(), verifies: isSpawned)
      }
    }

    func handle(_ line: String) { server.handle(Array(line.utf8), of: client) }

    func leave() { server.leave(client) }

    /// Runs the requests so far; returns all lines that were sent.
    func answers() -> [String] {
      queue.finish()
      queue.run()
      return lines.withLock { $0 }
    }

    /// The lines that were sent.
    var sent: [String] { lines.withLock { $0 } }
  }

  /// Returns a server's answers to lines, and `true` if it expects more.
  private static func answers(_ lines: String...) -> (lines: [String], goesOn: Bool) {
    let side = Side()
    for line in lines { side.handle(line) }
    return (side.answers(), !side.client.isOver)
  }

  private static let initialize =
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":"1.0"}}"#
  private static let start =
    #"{"jsonrpc":"2.0","id":2,"method":"session/start","params":{"mode":"replay","#
    + #""seed":"0000000000000001","created":"2026-11-20T12:00:00Z","next":1,"t":0}}"#

  @Test("a client is read no further while 1,024 of its requests wait, however small they are")
  func waitingRequests() {
    let side = Side()
    side.handle(Self.initialize)
    for number in 2...1023 {
      side.handle(#"{"jsonrpc":"2.0","id":\#(number),"method":"shutdown"}"#)
    }
    #expect(side.client.takesBytes)
    side.handle(#"{"jsonrpc":"2.0","id":1024,"method":"shutdown"}"#)
    #expect(!side.client.takesBytes)
    #expect(side.answers().count == 1024)
  }

  @Test("a running app refuses several actions whose answer is too long, and takes one of them")
  func longAnswer() {
    let dispatch =
      #"{"jsonrpc":"2.0","id":3,"method":"session/dispatch","params":{"session":1,"actions":["#
    func add(_ number: Int) -> String {
      #"{"n":\#(number),"t":0,"action":{"type":"counter/add","payload":{"amount":1}}}"#
    }
    func answer(to actions: String, isSpawned: Bool = false) -> String? {
      // A state of the counter has 11 bytes.
      let side = Side(isSpawned: isSpawned, answerByteCount: 10)
      for line in [Self.initialize, Self.start, "\(dispatch)\(actions)]}}"] { side.handle(line) }
      return side.answers().last
    }
    #expect(answer(to: add(1))?.contains(#""result":{"steps":"#) == true)
    #expect(
      answer(to: "\(add(1)),\(add(2))")?.contains(
        #""message":"the answer has more than 10 bytes; send fewer actions at a time""#) == true)
    #expect(
      answer(to: "\(add(1)),\(add(2))", isSpawned: true)?.contains(#""result":{"steps":"#) == true)
  }

  @Test("a request without an answer gets an error")
  func errors() {
    let table = [
      (
        "{",
        #"null,"error":{"code":-32700,"message":"the line is not JSON: byte 1: the text ends "#
          + #"inside a JSON value; it was probably cut off"}}"#
      ),
      (
        "[]",
        #"null,"error":{"code":-32600,"message":"the message must be an object, found []"}}"#
      ),
      (
        #"{"id":3,"method":"initialize"}"#,
        #"3,"error":{"code":-32600,"message":"\"jsonrpc\" of the message is missing; "#
          + #"expected \"2.0\""}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":[],"method":"initialize"}"#,
        #"null,"error":{"code":-32600,"message":"\"id\" of the message must be a number or a "#
          + #"string, found []"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":"a","method":"fly"}"#,
        #""a","error":{"code":-32601,"message":"there is no method \"fly\"; there are initialize, ping, "#
          + "session/start, session/dispatch, session/states, session/upcast, session/end, "
          + "actions/source, verify, "
          + #"shutdown"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":4,"method":"session/states","params":{"session":1}}"#,
        #"4,"error":{"code":-32002,"message":"the first request must be initialize"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":5,"method":"initialize","params":[]}"#,
        #"5,"error":{"code":-32600,"message":"\"params\" of the message must be an object, "#
          + #"found []"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":"b","method":6}"#,
        #""b","error":{"code":-32600,"message":"\"method\" of the message must be a string, found 6"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":6,"method":"initialize"}"#,
        #"6,"error":{"code":-32602,"message":"\"protocol\" of the greeting is missing; "#
          + #"expected a string"}}"#
      ),
    ]
    for (line, answer) in table {
      let (answers, goesOn) = Self.answers(line)
      #expect(answers == [#"{"jsonrpc":"2.0","id":"# + answer])
      #expect(goesOn)
    }
  }

  @Test("ping and shutdown are answered before initialize", arguments: ["ping", "shutdown"])
  func ungreeted(_ method: String) {
    let (answers, _) = Self.answers(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#)
    #expect(answers == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
  }

  @Test("without a thread for its requests, a client gets an error, and may ask again")
  func withoutThread() {
    let lines = Monitor<[String]>([])
    let client = AppClient { bytes in
      lines.withLock { $0.append(String(decoding: bytes.dropLast(), as: UTF8.self)) }
      lines.signal()
      return bytes.count
    }
    let part = ReplayPart(CounterApp(), on: JobQueue("replay"), isSpawned: false)
    let server = AppServer([part], greetingOn: JobQueue("greeting", hasThread: true)) {
      Welcome(app: AppDescription())
    }
    let failure = SystemError("start a thread for", code: EAGAIN)
    RefusedThreads.$failure.withValue(failure) {
      server.handle(Array(Self.initialize.utf8), of: client)
    }
    let message = "the app \(failure.text(about: "the request"))"
    #expect(
      lines.withLock { $0 } == [
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"\#(message)"}}"#
      ])
    server.handle(Array(Self.initialize.utf8), of: client)
    server.handle(Array(Self.start.utf8), of: client)
    let count = lines.waitUntil(milliseconds: 60_000, { $0.count > 1 }) { $0.count }
    #expect(count == 2)
    server.finish()
  }

  @Test("a client is greeted while a request of another one runs")
  func greeting() throws {
    let (replay, greeting) = (
      JobQueue("replay", hasThread: true), JobQueue("greeting", hasThread: true)
    )
    let lines = Monitor<[String]>([])
    let client = AppClient { bytes in
      lines.withLock { $0.append(String(decoding: bytes.dropLast(), as: UTF8.self)) }
      return bytes.count
    }
    let part = ReplayPart(CounterApp(), on: replay, isSpawned: false)
    let server = AppServer([part], greetingOn: greeting) { Welcome(app: AppDescription()) }
    server.handle(Array(Self.initialize.utf8), of: client)
    server.handle(Array(Self.start.utf8), of: client)
    greeting.finish()
    greeting.run()
    #expect(lines.withLock { $0.map { $0.prefix(22) } } == [#"{"jsonrpc":"2.0","id":1"#.prefix(22)])
  }

  @Test("a client that takes no bytes does not hold up the queue once its request is cancelled")
  func unread() {
    let client = AppClient { _ in 0 }
    let request = AppRequest(.dispatch, [:], id: 1, of: client, byteCount: 1)
    client.begin(request)
    request.cancel()
    #expect(!client.sendAtOnce([1], for: request))
  }

  @Test("a session whose start was cancelled is not kept")
  func cancelledStart() {
    let side = Side()
    for line in [
      Self.initialize, Self.start,
      #"{"jsonrpc":"2.0","method":"cancel","params":{"request":2}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"session/states","params":{"session":1}}"#,
    ] { side.handle(line) }
    #expect(side.answers().last?.contains("there is no session 1") == true)
  }

  @Test("sessions are numbered, and end")
  func sessions() {
    let states = #"{"jsonrpc":"2.0","id":3,"method":"session/states","params":{"session":2}}"#
    let end = #"{"jsonrpc":"2.0","id":4,"method":"session/end","params":{"session":2}}"#
    let (answers, goesOn) = Self.answers(
      Self.initialize, Self.start, Self.start, states, end, states)
    #expect(
      answers.dropFirst() == [
        #"{"jsonrpc":"2.0","id":2,"result":{"session":1}}"#,
        #"{"jsonrpc":"2.0","id":2,"result":{"session":2}}"#,
        #"{"jsonrpc":"2.0","id":3,"result":{"states":{"counter":{"count":0}}}}"#,
        #"{"jsonrpc":"2.0","id":4,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":3,"error":{"code":-32003,"#
          + #""message":"there is no session 2; session/start begins one"}}"#,
      ])
    #expect(goesOn)
  }

  @Test("a running app keeps a limited number of sessions")
  func sessionLimit() {
    let side = Side(isSpawned: false)
    side.handle(Self.initialize)
    for _ in 0...1024 { side.handle(Self.start) }
    side.handle(#"{"jsonrpc":"2.0","id":4,"method":"session/end","params":{"session":7}}"#)
    side.handle(Self.start)
    #expect(
      side.answers().suffix(3) == [
        #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"#
          + #""message":"the app keeps 1024 sessions already; end one, such as a fork's"}}"#,
        #"{"jsonrpc":"2.0","id":4,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":2,"result":{"session":1025}}"#,
      ])
  }

  @Test("notifications and answers get no answer, and shutdown ends the server")
  func silence() {
    #expect(
      Self.answers(#"{"jsonrpc":"2.0","method":"cancel","params":{"request":1}}"#).lines == [])
    #expect(Self.answers(#"{"jsonrpc":"2.0","id":1,"result":{}}"#).lines == [])
    let (answers, goesOn) = Self.answers(#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#)
    #expect(answers == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
    #expect(!goesOn)
  }

  @Test(
    "a failure of the app crosses the wire unchanged",
    arguments: [
      ReplayFailure(
        .statesNotRestorable([.init(store: "a", why: "b"), .init(store: "c", why: "d")])),
      ReplayFailure(.cannotEncode("the state of a", why: "b"), step: 7, action: "a/b"),
      ReplayFailure(.ended), ReplayFailure(.cancelled),
    ])
  func failures(_ failure: ReplayFailure) {
    #expect(ReplayFailure(RPCError(failure), asked: .dispatch) == failure)
  }

  private func request(_ id: Int, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  private static let cancelled =
    #""error":{"code":-32000,"message":"the replay was cancelled","data":{"kind":"cancelled"}}}"#

  @Test("ping is answered while a request waits, and a cancelled request does not run")
  func atOnce() {
    let side = Side()
    side.handle(Self.initialize)
    side.handle(Self.start)
    side.handle(request(3, "ping"))
    #expect(side.sent == [#"{"jsonrpc":"2.0","id":3,"result":{}}"#])
    side.handle(#"{"jsonrpc":"2.0","method":"cancel","params":{"request":2}}"#)
    #expect(side.answers().last == #"{"jsonrpc":"2.0","id":2,"# + Self.cancelled)
  }

  @Test("nothing runs for a client that has left, and nothing is sent to it")
  func left() {
    let side = Side()
    side.handle(Self.initialize)
    side.handle(Self.start)
    side.leave()
    #expect(side.answers() == [])
    #expect(side.client.isOver)
  }

  @Test("a running app announces each step before it begins")
  func announcements() {
    let side = Side(isSpawned: false)
    side.handle(Self.initialize)
    side.handle(Self.start.replacing("replay", with: "simulate"))
    let add = #"{"t":0,"action":{"type":"counter/add","payload":{"amount":1}}}"#
    side.handle(
      request(
        3, "session/dispatch", #"{"session":1,"actions":[\#(add),\#(add)]}"#))
    #expect(
      side.answers().dropFirst(2) == [
        #"{"jsonrpc":"2.0","method":"progress","params":{"request":3,"step":1}}"#,
        #"{"jsonrpc":"2.0","method":"progress","params":{"request":3,"step":2}}"#,
        #"{"jsonrpc":"2.0","id":3,"result":{"steps":[{"n":1,"t":0.000000,"states":{"counter":{"count":1}}},{"n":2,"t":0.000000,"states":{"counter":{"count":2}}}]}}"#,
      ])
  }

  @Test("a running app reads no file for a client")
  func noFiles() {
    let side = Side(isSpawned: false)
    side.handle(Self.initialize)
    side.handle(request(2, "verify", #"{"log":"/etc/passwd"}"#))
    #expect(
      side.answers().last
        == #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"a running app reads no logs for clients; send the steps"}}"#
    )
  }

  @Test("replays need their permission")
  func permission() {
    let side = Side(isSpawned: false, allowing: [.watch])
    side.handle(Self.initialize)
    side.handle(Self.start)
    #expect(
      side.sent == [
        #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"the app does not allow replay; it allows only watch"}}"#
      ])
  }

  @Test("a client speaks version 1 or 2, and says so once")
  func versions() {
    let refused = Side()
    refused.handle(Self.initialize.replacing("1.0", with: "3.0"))
    #expect(
      refused.answers() == [
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"the app speaks version 2.0 of the protocol, not 3.0"}}"#
      ])
    let twice = Side()
    twice.handle(Self.initialize)
    twice.handle(Self.initialize)
    #expect(
      twice.sent == [
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"initialize was requested before"}}"#
      ])
    #expect(twice.answers().last?.contains(#""protocol":"2.0","parts":["replay"],"#) == true)
  }

  @Test("bytes are not read while too many wait")
  func throttling() {
    let isDeaf = Monitor(true)
    let woken = Monitor(0)
    let client = AppClient(wake: { woken.withLock { $0 += 1 } }) { bytes in
      isDeaf.withLock { $0 } ? 0 : bytes.count
    }
    #expect(client.takesBytes)
    client.send(Array(repeating: 0x20, count: Outbox.limit))
    #expect(!client.takesBytes && client.isWaiting)
    let before = woken.withLock { $0 }
    isDeaf.withLock { $0 = false }
    client.flush()
    #expect(woken.withLock { $0 } == before + 1)
    #expect(client.takesBytes && !client.isWaiting)
  }
}
