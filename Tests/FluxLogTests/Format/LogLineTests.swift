import FluxJSON
import Testing

@testable import FluxLog

@Suite struct LogLineTests {
  static let header = LogHeader(
    log: "5f0c", created: LogInstant("2026-11-20T12:00:00Z"), seed: 0x8c1f_0e1d_2b3a_4958, first: 1,
    recordsEffects: true, app: .init(name: "TodoMVC", version: "1.0"),
    platform: .init(os: "Linux", swift: "6.3"),
    stores: [
      .init(name: "todos", type: "TodoState", initial: ["items": []]),
      .init(name: "search", type: "Search", isFeature: true),
    ],
    redacted: ["/session/token"])

  static let step = LogStep(
    number: 2, time: LogTime(microseconds: 201_331),
    action: ["type": "todo/toggle", "payload": ["id": 1]], type: "todo/toggle",
    patches: ["todos": [["op": "replace", "path": "/items/0/done", "value": true]]])

  static let fullStep = LogStep(
    number: 7, time: LogTime(microseconds: 3_000_000), action: ["type": "a\"b"], type: "a\"b",
    target: "todos", cause: 6, effect: "load", from: "observer",
    effects: [
      StoreEffects(store: "todos", names: ["save", "-search"]),
      StoreEffects(store: "a\"b", names: ["++", "-+x", "+-y"]),
    ],
    source: "App.swift:12", took: 15,
    states: ["a": .null], patches: ["b": []], removed: ["c", "d"])

  static let rejectedStep = LogStep(
    number: 8, time: LogTime(microseconds: 3_000_001), action: ["type": "x"], type: "x",
    rejection: LogRejection(reason: "impossible", message: "x is impossible", store: "todos"))

  /// Each kind of line, and its exact text.
  static let lines: [(LogLine, String)] = [
    (
      .header(header),
      #"{"flux":"1.1","log":"5f0c","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"effects":true,"app":{"name":"TodoMVC","version":"1.0"},"platform":{"os":"Linux","swift":"6.3"},"stores":{"todos":{"type":"TodoState","initial":{"items":[]}},"search":{"type":"Search","feature":true}},"redacted":["/session/token"],"sum":"b8c3ec34"}"#
    ),
    (
      .step(step),
      #"{"n":2,"t":0.201331,"action":{"type":"todo/toggle","payload":{"id":1}},"patches":{"todos":[{"op":"replace","path":"/items/0/done","value":true}]},"sum":"c5f92b64"}"#
    ),
    (
      .step(fullStep),
      #"{"n":7,"t":3.000000,"action":{"type":"a\"b"},"target":"todos","cause":6,"effect":"load","from":"observer","effects":{"todos":["save","-search"],"a\"b":["++","-+x","+-y"]},"at":"App.swift:12","took":15,"states":{"a":null},"patches":{"b":[]},"removed":["c","d"],"sum":"a23a16d5"}"#
    ),
    (
      .step(rejectedStep),
      #"{"n":8,"t":3.000001,"action":{"type":"x"},"rejected":{"reason":"impossible","message":"x is impossible","store":"todos"},"sum":"cbc01d3c"}"#
    ),
    (
      .mark(LogMark(text: "login done", time: LogTime(microseconds: 3_200_000))),
      #"{"mark":"login done","t":3.200000,"sum":"500dfc57"}"#
    ),
    (
      .gap(LogGap(from: 10, through: 19, why: .paused)),
      #"{"gap":{"from":10,"to":19,"why":"paused"},"sum":"f51dad28"}"#
    ),
    (
      .gap(LogGap(restoring: .step(4), before: 10)),
      #"{"gap":{"from":10,"to":9,"why":"restored","step":4},"sum":"da77f5f3"}"#
    ),
    (
      .gap(LogGap(restoring: .states(["a": 1, "b": .null]), before: 0)),
      #"{"gap":{"from":0,"to":-1,"why":"restored"},"states":{"a":1,"b":null},"sum":"608d5f10"}"#
    ),
    (
      .end(LogEnd(steps: 20, isComplete: true)),
      #"{"end":{"steps":20,"ok":true},"sum":"18047166"}"#
    ),
    (
      .end(LogEnd(steps: 20, isComplete: true, isContinued: true)),
      #"{"end":{"steps":20,"ok":true,"continued":true},"sum":"192600e0"}"#
    ),
    (
      .end(LogEnd(steps: 20, isComplete: true, unmatched: ["/session/tokn", "login /password"])),
      #"{"end":{"steps":20,"ok":true,"unmatched":["/session/tokn","login /password"]},"sum":"de7d9401"}"#
    ),
  ]

  private static func written(_ line: LogLine) -> String {
    var lines = LineBuffer()
    switch line {
    case .header(let header): header.write(to: &lines)
    case .step(let step): step.write(to: &lines)
    case .mark(let mark): mark.write(to: &lines)
    case .gap(let gap): gap.write(to: &lines)
    case .end(let end): end.write(to: &lines)
    case .unknown: break
    }
    return String(decoding: lines.bytes, as: UTF8.self)
  }

  @Test("Lines are written exactly as the format says, and round-trip", arguments: lines)
  func both(line: LogLine, text: String) throws {
    #expect(Self.written(line) == text + "\n")
    #expect(try LogLine(Array(text.utf8)) == line)
  }

  @Test("Members may have any order and blanks, and the sum may be missing")
  func anyOrder() throws {
    let text =
      #" { "patches" : {"todos":[]} , "action":{"payload":1,"type":"a"}, "t" : 1, "n":3 } "#
    guard case .step(let step) = try LogLine(Array(text.utf8)) else {
      Issue.record("not a step")
      return
    }
    #expect(step.number == 3)
    #expect(step.time == LogTime(microseconds: 1_000_000))
    #expect(step.type == "a")
    #expect(step.payload == 1)
    #expect(step.changed == ["todos"])
  }

  @Test("A line of an unknown kind is kept")
  func unknown() throws {
    let text = #"{"note":"x"}"#
    #expect(try LogLine(Array(text.utf8)) == .unknown(["note": "x"]))
  }

  @Test(
    "A wrong line is refused, with the problem and its byte",
    arguments: [
      ("[1]", .notAnObject, 0),
      (#"{"n":1,"#, .notJSON(JSONError(byte: 7, reason: .unexpectedEnd)), 7),
      (#"{"n":"1"}"#, .wrongType(member: "n", expected: "a whole number from 0 to 2^63 - 1"), 5),
      (#"{"n":-1}"#, .wrongType(member: "n", expected: "a whole number from 0 to 2^63 - 1"), 5),
      (#"{"n":1.5}"#, .wrongType(member: "n", expected: "a whole number from 0 to 2^63 - 1"), 5),
      (
        #"{"n":9223372036854775808}"#,
        .wrongType(member: "n", expected: "a whole number from 0 to 2^63 - 1"), 5
      ),
      (#"{"n":1}"#, .missingMember("t"), 0),
      (
        #"{"n":1,"t":18446744073710}"#,
        .wrongType(member: "t", expected: "a number of seconds from 0 to 18446744073709"), 11
      ),
      (
        #"{"n":1,"t":-1}"#,
        .wrongType(member: "t", expected: "a number of seconds from 0 to 18446744073709"), 11
      ),
      (#"{"n":1,"t":0}"#, .missingMember("action"), 0),
      (#"{"n":1,"t":0,"action":[]}"#, .wrongType(member: "action", expected: "an object"), 22),
      (#"{"n":1,"t":0,"action":{}}"#, .missingMember("action.type"), 22),
      (
        #"{"n":1,"t":0,"action":{"type":null}}"#,
        .wrongType(member: "action.type", expected: "a string"), 30
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"cause":true}"#,
        .wrongType(member: "cause", expected: "a whole number from 0 to 2^63 - 1"), 43
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"states":[]}"#,
        .wrongType(member: "states", expected: "an object"), 44
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"patches":{"s":{}}}"#,
        .wrongType(member: "patches.s", expected: "an array of operations"), 50
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"removed":[1]}"#,
        .wrongType(member: "removed", expected: "an array of strings"), 45
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"states":{"s":1},"rejected":{"reason":"r"}}"#,
        .changeInRejectedStep(member: "states"), 44
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"effects":["save"]}"#,
        .wrongType(member: "effects", expected: "an object"), 45
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"effects":{"s":"save"}}"#,
        .wrongType(member: "effects.s", expected: "an array of strings"), 50
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"effects":{"s":["save",1]}}"#,
        .wrongType(member: "effects.s", expected: "an array of strings"), 50
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"states":{"s":1},"patches":{"s":[]}}"#,
        .storeWrittenTwice("s"), 62
      ),
      (
        #"{"n":1,"t":0,"action":{"type":"a"},"removed":["s","s"]}"#, .storeWrittenTwice("s"), 45
      ),
      (#"{"mark":1,"t":0}"#, .wrongType(member: "mark", expected: "a string"), 8),
      (#"{"mark":"m"}"#, .missingMember("t"), 0),
      (#"{"gap":1}"#, .wrongType(member: "gap", expected: "an object"), 7),
      (#"{"gap":{"from":1,"to":2}}"#, .missingMember("gap.why"), 7),
      (#"{"end":{"steps":1,"ok":1}}"#, .wrongType(member: "end.ok", expected: "true or false"), 23),
      (#"{"flux":1}"#, .wrongType(member: "flux", expected: #"a version such as "1.1""#), 8),
      (
        #"{"flux":"1.1","effects":1}"#,
        .wrongType(member: "effects", expected: "true or false"), 24
      ),
      (
        #"{"flux":"1.0","seed":"xyz"}"#,
        .wrongType(member: "seed", expected: "a string of 16 hex digits"), 21
      ),
      (
        #"{"flux":"1.0","created":"today"}"#,
        .wrongType(member: "created", expected: "a date and time with a time zone"), 24
      ),
      (
        #"{"flux":"1.0","stores":{"a":1}}"#,
        .wrongType(member: "stores.a", expected: "an object"), 28
      ),
    ] as [(String, LineProblem, Int)])
  func refused(text: String, problem: LineProblem, byte: Int) {
    #expect(throws: LineFault(problem: problem, byte: byte)) { try LogLine(Array(text.utf8)) }
  }

  @Test("A step that writes too many stores is refused, with the limit and how to raise it")
  func tooManyStores() throws {
    let line = try JSON.parse(
      #"{"n":1,"t":0,"action":{"type":"a"},"states":{"a":1},"removed":["b"],"unwritten":["c"]}"#)
    guard case .step(let step) = try LogLine(line, limit: MemoryLimit(byteCount: 2_000)) else {
      Issue.record("the line is not a step")
      return
    }
    #expect(step.changed == ["a", "b", "c"])
    let error = #expect(throws: LineFault.self) {
      try LogLine(line, limit: MemoryLimit(byteCount: 1_900))
    }
    #expect(
      error?.problem.message == """
        the step writes 3 stores, and at most 2 are read; set FLUX_MEMORY_LIMIT to more megabytes \
        to raise the limit
        """)
    #expect(error?.problem.kind == "stores")
    #expect(error?.byte == 0)
  }
}
