import FluxJSON
import FluxLog
import FluxReplay
import Testing

@Suite struct LiveMessagesTests {
  private static let requests: [(LiveRequest, String)] = [
    (.watch, #"{"jsonrpc":"2.0","id":1,"method":"live/watch","params":{}}"#),
    (
      .present(LivePosition(step: 3), ignoresActions: false),
      #"{"jsonrpc":"2.0","id":1,"method":"live/present","params":{"step":3}}"#
    ),
    (
      .present(nil, ignoresActions: true),
      #"{"jsonrpc":"2.0","id":1,"method":"live/present","params":{"ignoring":true}}"#
    ),
    (
      .present(
        LivePosition(step: 0, states: ["todos": ["items": []], "a": 1]), ignoresActions: true),
      #"{"jsonrpc":"2.0","id":1,"method":"live/present","params":{"step":0,"states":{"a":1,"todos":{"items":[]}},"ignoring":true}}"#
    ),
    (.resume, #"{"jsonrpc":"2.0","id":1,"method":"live/resume","params":{}}"#),
    (
      .restore(LivePosition(step: 18_446_744_073_709_551_615)),
      #"{"jsonrpc":"2.0","id":1,"method":"live/restore","params":{"step":18446744073709551615}}"#
    ),
    (
      .dispatch(["type": "todo/add"], target: "todos"),
      #"{"jsonrpc":"2.0","id":1,"method":"live/dispatch","params":{"action":{"type":"todo/add"},"target":"todos"}}"#
    ),
  ]

  @Test("requests are written in this form and read back", arguments: requests)
  func request(_ request: LiveRequest, _ line: String) throws {
    let bytes = RPCLine.request(1, request.method, request)
    #expect(String(decoding: bytes, as: UTF8.self) == line + "\n")
    guard case .request(_, let method, let params) = try RPCMessage(Array(line.utf8)) else {
      Issue.record("it is a request")
      return
    }
    #expect(try LiveRequest(#require(AppProtocol.Method(rawValue: method)), params) == request)
  }

  private static let notifications: [(LiveNotification, String)] = [
    (
      .steps(
        [
          LiveStep(number: 7, type: "todo/add"),
          LiveStep(number: 8, type: "todo/toggle", isRejected: true),
        ], dropped: 2),
      #"{"jsonrpc":"2.0","method":"live/steps","params":{"steps":[{"n":7,"type":"todo/add"},{"n":8,"type":"todo/toggle","rejected":true}],"dropped":2}}"#
    ),
    (
      .restored(step: 3, next: 9),
      #"{"jsonrpc":"2.0","method":"live/restored","params":{"step":3,"next":9}}"#
    ),
    (
      .restored(step: nil, next: 9),
      #"{"jsonrpc":"2.0","method":"live/restored","params":{"next":9}}"#
    ),
    (
      .presenting(step: 3, ignoresActions: true),
      #"{"jsonrpc":"2.0","method":"live/presenting","params":{"step":3,"ignoring":true}}"#
    ),
    (
      .presenting(step: nil, ignoresActions: false),
      #"{"jsonrpc":"2.0","method":"live/presenting","params":{}}"#
    ),
    (.resumed, #"{"jsonrpc":"2.0","method":"live/resumed","params":{}}"#),
    (.ended, #"{"jsonrpc":"2.0","method":"live/ended","params":{}}"#),
  ]

  @Test("notifications are written in this form and read back", arguments: notifications)
  func notification(_ notification: LiveNotification, _ line: String) throws {
    let bytes = RPCLine.notification(notification.method, notification)
    #expect(String(decoding: bytes, as: UTF8.self) == line + "\n")
    guard case .notification(let method, let params) = try RPCMessage(Array(line.utf8)) else {
      Issue.record("it is a notification")
      return
    }
    #expect(try LiveNotification(method, params) == notification)
  }

  @Test("a notification of a later version is none, and a malformed one an error")
  func unknownNotification() throws {
    #expect(try LiveNotification("live/soon", [:]) == nil)
    #expect(throws: MalformedMessage.self) { try LiveNotification("live/restored", [:]) }
  }

  @Test(
    "malformed requests say what is wrong",
    arguments: [
      (
        "live/restore", "{}",
        #""step" of the request live/restore is missing; expected a whole number"#
      ),
      (
        "live/present", #"{"step":-1}"#,
        #""step" of the request live/present must be a whole number, found -1"#
      ),
      (
        "live/present", #"{"step":1,"states":[]}"#,
        #""states" of the request live/present must be an object, found []"#
      ),
      (
        "live/dispatch", #"{"action":"todo/add"}"#,
        #""action" of the request live/dispatch must be an object, found "todo/add""#
      ),
    ])
  func malformed(_ method: String, _ params: String, _ message: String) throws {
    let params = try JSON.parse(params)
    let name = try #require(AppProtocol.Method(rawValue: method))
    let error = #expect(throws: MalformedMessage.self) { try LiveRequest(name, params) }
    #expect(error?.description == message)
  }

  private static let place = SegmentPlace(log: "5f0c", first: 7, offset: 120, crc: 42)

  @Test("the messages about a log are written in this form and read back")
  func log() throws {
    let place = #"{"log":"5f0c","first":7,"offset":120,"crc":42}"#
    let request = JSON(message: LogRequest(place: Self.place, log: "5f0c"))
    #expect(request.description == #"{"place":\#(place),"log":"5f0c"}"#)
    #expect(try LogRequest(request) == LogRequest(place: Self.place, log: "5f0c"))
    let followed = LogFollowed(place: Self.place, end: Self.place)
    #expect(
      JSON(message: followed).description == #"{"place":\#(place),"end":\#(place)}"#)
    #expect(try LogFollowed(JSON(message: followed)) == followed)
    let texts: [(LogText, String)] = [
      (LogText(at: 5, Array("é\n".utf8)), #"{"at":5,"text":"é\n"}"#),
      (LogText(at: 5, [0xC3]), #"{"at":5,"base64":"ww=="}"#),
    ]
    for (text, written) in texts {
      #expect(JSON(message: text).description == written)
      #expect(try LogText(JSON(message: text)) == text)
    }
    let ended = LogEnded(log: "5f0c", closed: true)
    #expect(JSON(message: ended).description == #"{"log":"5f0c","closed":true}"#)
    #expect(try LogEnded(JSON(message: ended)) == ended)
    let actions = [
      InFlightAction(
        number: 3, time: LogTime(microseconds: 1_500_000), type: "todo/add",
        action: ["type": "todo/add"], isCommitted: true,
        origin: ActionOrigin(target: "todos", cause: 2, effect: "save", from: "observer")),
      InFlightAction(
        number: 4, time: LogTime(microseconds: 2_000_000), type: "todo/load", action: nil,
        isCommitted: false, isDropped: true),
    ]
    let list = JSON(message: InFlightList(actions))
    #expect(
      list.description
        == #"{"actions":[{"n":3,"t":1.500000,"action":{"type":"todo/add"},"committed":true,"target":"todos","cause":2,"effect":"save","from":"observer"},{"n":4,"t":2.000000,"type":"todo/load","dropped":true}]}"#
    )
    #expect(try InFlightList(list).actions == actions)
  }

  @Test("the answers are written in this form and read back")
  func answers() throws {
    let welcome = Welcome(
      AppDescription(name: "TodoMVC", version: "1.0"), process: 42, parts: [.live],
      log: "/tmp/todo.jsonl", allows: [.watch, .present])
    let json = JSON(message: welcome)
    #expect(
      json.description
        == #"{"protocol":"2.0","parts":["live"],"app":{"name":"TodoMVC","version":"1.0","stores":[],"actionTypes":[]},"process":42,"log":"/tmp/todo.jsonl","allows":["watch","present"]}"#
    )
    #expect(try Welcome(json) == welcome)
    let dispatched = LiveDispatched(verdict: "changed", step: 3, last: 5, place: Self.place)
    let answer = JSON(message: dispatched)
    #expect(
      answer.description
        == #"{"verdict":"changed","step":3,"last":5,"place":{"log":"5f0c","first":7,"offset":120,"crc":42}}"#
    )
    #expect(try LiveDispatched(answer) == dispatched)
  }
}
