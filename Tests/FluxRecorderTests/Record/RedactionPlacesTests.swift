import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

/// The places that a redaction can name: at any depth, or all but some.
@Suite struct RedactionPlacesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records states and payloads; returns the lines after the header, with tokens counted from 1.
  private func lines(
    _ redaction: Redaction, initial: JSON = [:], _ body: (Recorder) -> Void
  ) throws -> [String] {
    var options = Recorder.Options()
    options.redaction = redaction
    options.log.states = .full
    let url = folder.url("log.jsonl")
    let recorder = Recorder(to: url, options: options)
    recorder.start(states: ["session": initial], now: { Date(timeIntervalSince1970: 0) })
    body(recorder)
    try recorder.close()
    var names: [Substring: String] = [:]
    return try linesWithoutSums(url).dropFirst().map { line in
      line.replacing(/<redacted [0-9a-f]{16}>/) { match in
        names[match.output] = names[match.output] ?? "<\(names.count + 1)>"
        return names[match.output] ?? ""
      }.replacing(#""t":0.000000,"#, with: "")
    }
  }

  @Test("** matches any number of members, including none")
  func anyDepth() throws {
    let redaction = Redaction(
      states: ["/**/password"], actions: ["*": ["/**/password", "/**/x/1"]])
    let state: JSON = [
      "password": "first", "users": [["password": ["a": 1]], ["name": "joe", "password": .null]],
      "passwords": 2,
    ]
    let action = NamedAction(
      "login", payload: json(["password": "first", "x": ["a", "b", ["x": [1, 2]]]]))
    #expect(
      try lines(redaction) { $0.record(action, states: ["session": state]) } == [
        #"{"n":1,"action":{"type":"login","payload":{"password":"<1>","x":["a","<2>",{"x":[1,"<3>"]}]}},"states":{"session":{"password":"<1>","passwords":2,"users":[{"password":"<4>"},{"name":"joe","password":null}]}}}"#,
        #"{"end":{"steps":1,"ok":true}}"#,
      ])
  }

  @Test(
    "a name that only looks like one of a pointer is secret if that is, and not allowed if that is")
  func lookAlike() throws {
    let (one, two) = ("\u{E9}", "e\u{301}")
    let redacted = try RedactedPlaces(["/s/\(one)"])
    #expect([one, two].map { redacted.isSecret(at: ["s", $0], .string) } == [true, true])
    let allowed = try RedactedPlaces([], only: ["/s/\(one)"])
    #expect([one, two].map { allowed.isSecret(at: ["s", $0], .string) } == [false, true])
    let action = NamedAction("a", payload: json(["n": 1]))
    let state: JSON = ["a": .init(stringLiteral: one), "b": .init(stringLiteral: two)]
    #expect(
      try lines(Redaction(states: ["/session/*"])) { $0.record(action, states: ["session": state]) }
        == [
          #"{"n":1,"action":{"type":"a","payload":{"n":1}},"states":{"session":{"a":"<1>","b":"<2>"}}}"#,
          #"{"end":{"steps":1,"ok":true}}"#,
        ])
  }

  @Test("everything inside a secret is secret: in a model, and in an action of a batch")
  func wholes() throws {
    let redaction = Redaction(states: [""], actions: ["batch": ["/actions/*"]])
    let batch = Batch(nil, [VaultAction.login(token: "first")])
    #expect(
      try lines(redaction) { $0.record(batch, states: ["session": ["password": "first"]]) } == [
        #"{"n":1,"action":{"type":"batch","payload":{"actions":[{"type":"vault/login","payload":"<1>"}]}},"states":{"session":"<2>"}}"#,
        #"{"end":{"steps":1,"ok":true}}"#,
      ])
  }

  /// An action that encodes its associated value alone.
  private enum SearchAction: Encodable, Sendable {
    case text(String)
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .text(let text): try text.encode(to: encoder)
      }
    }
  }

  @Test(
    "an associated value that an action encodes as a string is its payload, and no part of its type"
  )
  func soleString() throws {
    #expect(
      try lines(.only([])) { $0.record(SearchAction.text("my secret"), states: [:]) } == [
        #"{"n":1,"action":{"type":"search","payload":"<1>"}}"#,
        #"{"end":{"steps":1,"ok":true}}"#,
      ])
  }

  private enum AppAction: Codable, Sendable {
    case home(HomeAction), row(id: Int, RowAction)
    enum HomeAction: Codable, Sendable { case login(name: String, password: String) }
    enum RowAction: Codable, Sendable { case rename(String, secret: String) }
  }

  @Test(
    "pointers of an outer case lead into nested actions",
    arguments: [
      ("app/home", "/_0/login/password", #"{"name":"ann","password":"<1>"}"#),
      ("app/home/login", "/password", #"{"name":"ann","password":"<1>"}"#),
      ("app/*", "/_0/*/password", #"{"name":"ann","password":"<1>"}"#),
      ("app/home", "/**/password", #"{"name":"ann","password":"<1>"}"#),
      ("app/home", "/_0", #""<1>""#),
      ("app/home", "/_0/logout/password", #"{"name":"ann","password":"secret"}"#),
    ])
  func outerCases(_ type: String, _ pointer: String, _ expected: String) throws {
    let redaction = Redaction(actions: [type: [pointer]])
    let action = AppAction.home(.login(name: "ann", password: "secret"))
    let line = try lines(redaction) { $0.record(action, states: [:]) }[0]
    #expect(line == #"{"n":1,"action":{"type":"app/home/login","payload":\#(expected)}}"#)
  }

  @Test("pointers of an outer case lead past the values beside a nested action")
  func besideNestedCases() throws {
    let action = AppAction.row(id: 7, .rename("tea", secret: "milk"))
    let hidden = Redaction(actions: ["app/row": ["/_1/rename/secret"]])
    let hiddenLine = try lines(hidden) { $0.record(action, states: [:]) }[0]
    #expect(
      hiddenLine
        == #"{"n":1,"action":{"type":"app/row/rename","payload":{"_1":{"_0":"tea","secret":"<1>"},"id":7}}}"#
    )
    let shown = Redaction.only([], actions: ["app/row": ["/id", "/_1/rename/_0"]])
    let shownLine = try lines(shown) { $0.record(action, states: [:]) }[0]
    #expect(
      shownLine
        == #"{"n":1,"action":{"type":"app/row/rename","payload":{"_1":{"_0":"tea","secret":"<1>"},"id":7}}}"#
    )
  }

  @Test("an allow-list replaces everything else by the largest tokens")
  func allowList() throws {
    let redaction = Redaction.only(
      ["/session/items/*/done", "/session/filter"],
      actions: ["todo/*": ["/id"], "todo/note": ["/tags"], "all": [""]])
    let state: JSON = [
      "items": [["done": true, "title": "buy milk"], "not an object"], "filter": ["a": [1]],
      "user": ["name": "ann"], "draft": .null,
    ]
    let written = try lines(redaction) { recorder in
      let states: [String: (any Encodable & Sendable)?] = ["session": state]
      recorder.record(
        NamedAction("todo/add", payload: json(["id": 7, "title": "buy milk"])),
        states: states)
      recorder.record(
        NamedAction("todo/note", payload: json(["id": 8, "tags": ["a"], "x": 1])),
        states: ["session": state, "other": 4])
      recorder.record(NamedAction("all", payload: json(["x": 1])), states: states)
      recorder.begin(NamedAction("none", payload: json(["x": 1]))).reject("no milk")
      recorder.record(NamedAction("bare"), states: states)
      recorder.mark("buy milk")
    }
    #expect(
      written == [
        #"{"n":1,"action":{"type":"todo/add","payload":{"id":7,"title":"<1>"}},"states":{"session":{"draft":null,"filter":{"a":[1]},"items":[{"done":true,"title":"<1>"},"<2>"],"user":"<3>"}}}"#,
        #"{"n":2,"action":{"type":"todo/note","payload":{"id":8,"tags":["a"],"x":"<4>"}},"states":{"other":"<5>"}}"#,
        #"{"n":3,"action":{"type":"all","payload":{"x":1}}}"#,
        #"{"n":4,"action":{"type":"none","payload":"<6>"},"rejected":{"reason":"refused","message":"<7>"}}"#,
        #"{"n":5,"action":{"type":"bare"}}"#, #"{"mark":"<1>","t":0.000000}"#,
        #"{"end":{"steps":5,"ok":true}}"#,
      ])
    let header = try LogFile.open(folder.path("log.jsonl")).header
    #expect(header.redacted == [])
    #expect(header.only == ["/session/items/*/done", "/session/filter"])
    #expect(header.stores.first?.initial == json([:]))
  }

  @Test("an allow-list keeps texts on request, and redacts places inside allowed ones")
  func allowListWithTexts() throws {
    var redaction = Redaction.only(
      ["/session"], actions: ["*": ["/name"]], keepingTexts: true)
    redaction.states = ["/session/token"]
    redaction.actions = ["log*": ["/name/last"]]
    let written = try lines(redaction) { recorder in
      recorder.record(
        NamedAction(
          "login", payload: json(["name": ["first": "Joe", "last": "Miller"], "age": 41])),
        states: ["session": ["token": "miller-1", "open": "yes"]])
      recorder.begin(
        NamedAction("rename", payload: json(["name": "MILLER", "mail": "joe@b.com"]))
      ).reject("joe@b.com is in use, Miller")
    }
    #expect(
      written == [
        #"{"n":1,"action":{"type":"login","payload":{"name":{"first":"Joe","last":"<1>"},"age":"<2>"}},"states":{"session":{"open":"yes","token":"<3>"}}}"#,
        #"{"n":2,"action":{"type":"rename","payload":{"name":"<1>","mail":"<4>"}},"rejected":{"reason":"refused","message":"<4> is in use, <1>"}}"#,
        #"{"end":{"steps":2,"ok":true}}"#,
      ])
  }

  @Test("an allow-list reaches into batches, whose labels are texts")
  func allowListInBatches() throws {
    for keepsTexts in [false, true] {
      var options = Recorder.Options()
      options.redaction = .only([], actions: ["vault/login": ["/token"]], keepingTexts: keepsTexts)
      let name = "\(keepsTexts).jsonl"
      let recorder = Recorder(to: folder.url(name), options: options)
      let dispatcher = Dispatcher([SessionStore()])
      dispatcher.use(recorder)
      dispatcher.dispatch(
        Batch(
          "as ann@b.com",
          [
            VaultAction.login(token: "guest"),
            VaultAction.register(name: "ann@b.com", password: "p", hints: []),
          ]))
      try recorder.close()
      let line = try linesWithoutSums(folder.url(name))[1]
        .replacing(/<redacted [0-9a-f]{16}>/, with: "<>")
      let label = keepsTexts ? "as <>" : "<>"
      #expect(
        line.contains(
          #""action":{"type":"batch","payload":{"actions":[{"type":"vault/login","payload":{"token":"guest"}},{"type":"vault/register","payload":"<>"}],"label":"\#(label)"}}"#
        ), "\(line)")
    }
  }

  @Test("a pointer to a history's value also leads to what undo and redo return to")
  func history() throws {
    struct Note: StateValue {
      var text: String
      var pin: Int
    }
    var draft = History(Note(text: "open", pin: 1))
    draft.change { $0.pin = 1234 }
    draft.change { $0.text = "my pin is 1234" }
    draft.undo()
    let state = draft
    #expect(
      try lines(Redaction(states: ["/session/present/pin"])) {
        $0.record(NamedAction("edit"), states: ["session": state])
      } == [
        #"{"n":1,"action":{"type":"edit"},"states":{"session":{"future":[{"pin":"<1>","text":"my pin is <1>"}],"limit":100,"past":[{"pin":"<2>","text":"open"}],"present":{"pin":"<1>","text":"open"}}}}"#,
        #"{"end":{"steps":1,"ok":true}}"#,
      ])
  }
}

/// Returns the literal.
private func json(_ value: JSON) -> JSON { value }
