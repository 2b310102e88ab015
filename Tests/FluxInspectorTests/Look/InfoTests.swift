import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxInspector

@Suite struct InfoTests {
  @Test("A log says what it is")
  func info() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("info") == """
        file: LOG
        log: 5f0c
        created: 2026-11-20T12:00:00.000000Z
        app: TodoMVC 1.0
        format: 1.0
        steps: 8, 1 to 8
        stores: search, todos
        closed: yes

        """)
    #expect(
      try inspection.json("info") == """
        {"command":"info","ok":true,"position":0,"result":{"log":"5f0c","created":"2026-11-20T12:00:00.000000Z","app":{"name":"TodoMVC","version":"1.0"},"format":"1.0","first":1,"steps":8,"stores":["search","todos"],"closed":true,"torn":false,"inflight":[],"gaps":[],"warnings":[]}}

        """)
  }

  @Test("A segment says that the recording continues in the next one")
  func continued() throws {
    let end = #"{"end":{"steps":0,"ok":true,"continued":true}}"#
    var inspection = try Inspection([#"{"flux":"1.0"}"#, end])
    #expect(
      try inspection.text("info") == """
        file: LOG
        format: 1.0
        steps: none
        closed: yes: the recording continues in the next segment

        """)
    #expect(
      try inspection.json("info") == """
        {"command":"info","ok":true,"position":0,"result":{"log":null,"created":null,"app":null,"format":"1.0","first":1,"steps":0,"stores":[],"closed":true,"continued":true,"torn":false,"inflight":[],"gaps":[],"warnings":[]}}

        """)
  }

  @Test("A log says what was recorded by reflection")
  func reflected() throws {
    var inspection = try Inspection([
      #"{"flux":"1.1","stores":{"cart":{"type":"Cart","reflected":true,"initial":{"total":0}},"count":{"initial":1}}}"#,
      #"{"n":1,"t":0.500000,"action":{"type":"cart/add"},"reflected":true,"patches":{"cart":[{"op":"replace","path":"/total","value":1}]}}"#,
      #"{"end":{"steps":1,"ok":true}}"#,
    ])
    #expect(
      try inspection.text("info") == """
        file: LOG
        format: 1.1
        steps: 1, 1 to 1
        stores: cart, count
        reflected: cart: recorded by reflection, cannot be replayed
        closed: yes

        """)
    #expect(
      try inspection.json("info").contains(#""stores":["cart","count"],"reflected":["cart"],"#))
    _ = try inspection.text("goto 1")
    #expect(
      try inspection.text("action") == """
        cart/add
        reflected: recorded by reflection, cannot be dispatched

        """)
    #expect(try inspection.json("action").contains(#""reflected":true"#))
    #expect(try inspection.text("print $.reflected") == "true\n")
    #expect(try inspection.text("blame cart.total").contains("cart/add"))
  }

  @Test("An empty gap before a step 0 ends at -1, as in the file")
  func gapBeforeZero() throws {
    let gap = #"{"from":0,"to":-1,"why":"restored","step":0}"#
    var inspection = try Inspection([
      #"{"flux":"1.1","first":0,"stores":{"a":{"initial":1}}}"#, #"{"gap":\#(gap)}"#,
      #"{"n":0,"t":0,"action":{"type":"a/b"}}"#, #"{"end":{"steps":1,"ok":true}}"#,
    ])
    #expect(try inspection.json("info").contains(#""gaps":[\#(gap)]"#))
    #expect(
      try inspection.text("info").contains(
        "gap: the app went back to its initial states before step 0: restored\n"))
  }

  @Test("Gaps, damage and a missing end are told")
  func faults() throws {
    var inspection = try Inspection(TodoLog.withGap)
    #expect(
      try inspection.text("info") == """
        file: LOG
        log: 5f0c
        created: 2026-11-20T12:00:00.000000Z
        app: TodoMVC 1.0
        format: 1.0
        steps: 6, 1 to 8
        stores: search, todos
        closed: yes
        gap: steps 3 to 4 are not in the log: paused

        """)
    #expect(
      try inspection.json("info") == """
        {"command":"info","ok":true,"position":0,"result":{"log":"5f0c","created":"2026-11-20T12:00:00.000000Z","app":{"name":"TodoMVC","version":"1.0"},"format":"1.0","first":1,"steps":6,"stores":["search","todos"],"closed":true,"torn":false,"inflight":[],"gaps":[{"from":3,"to":4,"why":"paused"}],"warnings":[]}}

        """)
    var damage = try Inspection(TodoLog.withDamage)
    #expect(
      try damage.text("info") == """
        file: LOG
        log: 5f0c
        created: 2026-11-20T12:00:00.000000Z
        app: TodoMVC 1.0
        format: 1.0
        steps: 7, 1 to 8
        stores: search, todos
        closed: yes
        warning: line 4, step 3, byte 16: the line is damaged: the text ends inside a JSON value; it was probably cut off

        """)
    #expect(
      try damage.json("info") == """
        {"command":"info","ok":true,"position":0,"result":{"log":"5f0c","created":"2026-11-20T12:00:00.000000Z","app":{"name":"TodoMVC","version":"1.0"},"format":"1.0","first":1,"steps":7,"stores":["search","todos"],"closed":true,"torn":false,"inflight":[],"gaps":[],"warnings":["line 4, step 3, byte 16: the line is damaged: the text ends inside a JSON value; it was probably cut off"]}}

        """)
    var marks = try Inspection(CauseLog.withMarks)
    #expect(
      try marks.text("info") == """
        file: LOG
        recorded on: Linux, Swift 6.3
        format: 1.0
        steps: 1, 1 to 1
        redacted: /session/token
        closed: no: the recorder crashed, or is still recording

        """)
    #expect(
      try marks.json("info") == """
        {"command":"info","ok":true,"position":0,"result":{"log":null,"created":null,"app":null,"format":"1.0","first":1,"steps":1,"stores":[],"closed":false,"torn":false,"inflight":[],"gaps":[],"warnings":[]}}

        """)
  }

  @Test("An allow-list is shown, and pointers that matched nothing are warnings")
  func redaction() throws {
    var log = try Inspection([
      #"{"flux":"1.1","stores":{},"redacted":["/a/b"],"only":["/a","/b/*"]}"#,
      #"{"end":{"steps":0,"ok":true,"unmatched":["/a/b","login /password"]}}"#,
    ])
    #expect(
      try log.text("info") == """
        file: LOG
        format: 1.1
        steps: none
        redacted: /a/b
        redacted: everything except /a, /b/*
        closed: yes
        warning: redaction pointers that matched no value: /a/b, login /password: misspelled, or the value was absent throughout

        """)
  }

  @Test("Lines of kinds that are not known are counted")
  func unknownLines() throws {
    let unknown = [#"{"future":1}"#, #"{"future":2}"#]
    var inspection = try Inspection([#"{"flux":"1.0"}"#] + unknown)
    #expect(
      try inspection.text("info") == """
        file: LOG
        format: 1.0
        steps: none
        closed: no: the recorder crashed, or is still recording
        warning: 2 lines are of kinds that this version does not know, and are skipped

        """)
    #expect(
      try inspection.json("info") == """
        {"command":"info","ok":true,"position":0,"result":{"log":null,"created":null,"app":null,"format":"1.0","first":1,"steps":0,"stores":[],"closed":false,"torn":false,"inflight":[],"gaps":[],"warnings":["2 lines are of kinds that this version does not know, and are skipped"]}}

        """)
  }

  @Test("Actions in flight that cannot be read are a warning")
  func unknownInFlight() throws {
    var inspection = try Inspection()
    try inspection.folder.write("FLXT and what comes after it", to: "log.jsonl.inflight")
    let warning =
      "LOG.inflight: this program cannot read a file of actions in flight that starts with the bytes "
      + "46 4c 58 54; update the program to see the actions, or move the file away"
    #expect(try inspection.text("info").hasSuffix("closed: yes\nwarning: \(warning)\n"))
    #expect(
      try inspection.json("info").hasSuffix(
        #""inflight":[],"gaps":[],"warnings":["\#(warning)"]}}\#n"#))
  }

  @Test("Of many actions in flight, the newest ten are shown after the last step")
  func manyInFlight() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.jsonl")
    let writer = try LogWriter(path: path, header: LogHeader(stores: [.init(name: "a")]))
    let time = LogTime(microseconds: 1)
    writer.append(StepRecord(number: 1, time: time, action: LogValue(json: ["type": "x"])))
    for step in 2...13 {
      _ = writer.begin(step: UInt64(step), at: time, action: LogValue(json: ["type": "y"]))
    }
    try writer.flush()
    var inspection = try Inspection()
    inspection.session = Session(try LogFile.open(path))
    let notes = (4...13).map { "note: in flight: step \($0) y, begun, but not finished\n" }
    #expect(
      try inspection.transcript("end") == """
        > end
        the end of the log
        1 x +0.000001s
          changed: nothing
        note: in flight: 2 actions, step 2 to step 3; 'info' lists them
        \(notes.joined())
        """)
  }

  @Test("Actions in flight are shown after the last step")
  func inFlight() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.jsonl")
    let writer = try LogWriter(path: path, header: LogHeader(stores: [.init(name: "a")]))
    let time = LogTime(microseconds: 1)
    let action = LogValue(json: ["type": "x"])
    writer.append(StepRecord(number: 1, time: time, action: action))
    // The app is still at it.
    _ = writer.begin(step: 2, at: time, action: LogValue(json: ["type": "y"]))
    try writer.flush()
    var inspection = try Inspection()
    inspection.session = Session(try LogFile.open(path))
    #expect(
      try inspection.transcript("list ..", "list 1..1", "end", "start") == """
        > list ..
          1 x +0.000001s
          -- in flight: step 2 y, begun, but not finished
        > list 1..1
          1 x +0.000001s
          -- in flight: step 2 y, begun, but not finished
        > end
        the end of the log
        1 x +0.000001s
          changed: nothing
        note: in flight: step 2 y, begun, but not finished
        > start
        0 start: the state before the first step

        """)
    try writer.close()
  }

  @Test("The payload of an action in flight is shown, of a long one the beginning")
  func inFlightPayload() throws {
    for (payload, shown) in [
      (#"{"people":0}"#, #"{"people":0}"#),
      (#""\#(String(repeating: "x", count: 300))""#, #""\#(String(repeating: "x", count: 199))…"#),
    ] {
      let folder = try TemporaryFolder()
      let path = folder.path("log.jsonl")
      let writer = try LogWriter(path: path, header: LogHeader(stores: [.init(name: "a")]))
      let action = try LogValue(json: ["type": "y", "payload": JSON.parse(payload)])
      _ = writer.begin(step: 1, at: LogTime(microseconds: 1), action: action)
      try writer.flush()
      var inspection = try Inspection()
      inspection.session = Session(try LogFile.open(path))
      let sentence = "step 1 y, begun, but not finished: \(shown)"
      #expect(try inspection.text("info").contains("in flight: \(sentence)\n"))
      #expect(try inspection.text("list").contains("-- in flight: \(sentence)\n"))
      #expect(
        try inspection.json("info").contains(
          #""inflight":[{"n":1,"type":"y","committed":false,"payload":\#(payload)}]"#))
      try writer.close()
    }
  }

  @Test("Stores are listed with what they are here")
  func stores() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("stores") == """
        search Search, feature, absent
        todos Todos, 12 bytes

        """)
    #expect(
      try inspection.json("stores") == """
        {"command":"stores","ok":true,"position":0,"result":{"stores":[{"name":"search","type":"Search","feature":true,"state":"absent"},{"name":"todos","type":"Todos","feature":false,"state":"present","bytes":12}]}}

        """)
    #expect(inspection.stops(["goto 7"]) == [7])
    #expect(
      try inspection.text("stores") == """
        search Search, feature, 14 bytes
        todos Todos, 84 bytes

        """)
    var damage = try Inspection(TodoLog.withDamage)
    #expect(damage.stops(["goto 5"]) == [5])
    #expect(
      try damage.text("stores") == """
        search Search, feature, unknown
        todos Todos, unknown

        """)
    #expect(
      try damage.json("stores") == """
        {"command":"stores","ok":true,"position":5,"result":{"stores":[{"name":"search","type":"Search","feature":true,"state":"unknown"},{"name":"todos","type":"Todos","feature":false,"state":"unknown"}]}}

        """)
  }

  @Test("A state that a gap of an import hides is unknown")
  func importedStores() throws {
    var inspection = try Inspection([
      #"{"flux":"1.1","stores":{"a":{"initial":1}}}"#,
      #"{"gap":{"from":1,"to":0,"why":"imported"}}"#, #"{"n":1,"t":1,"action":{"type":"x"}}"#,
    ])
    #expect(inspection.stops(["goto 1"]) == [1])
    #expect(try inspection.text("stores") == "a, unknown\n")
  }

  @Test("Types and numbers are listed, the most frequent first")
  func stats() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("types") == """
        3 todo/add
        1 search/open
        1 search/type
        1 todo/clear
        1 todo/saved
        1 todo/toggle

        """)
    #expect(
      try inspection.json("types") == """
        {"command":"types","ok":true,"position":0,"result":{"types":[{"type":"todo/add","count":3},{"type":"search/open","count":1},{"type":"search/type","count":1},{"type":"todo/clear","count":1},{"type":"todo/saved","count":1},{"type":"todo/toggle","count":1}]}}

        """)
    #expect(
      try inspection.text("stats") == """
        8 steps in 10 s, 1366 bytes
        3 todo/add
        1 search/open
        1 search/type
        1 todo/clear
        1 todo/saved
        1 todo/toggle

        """)
    #expect(
      try inspection.json("stats") == """
        {"command":"stats","ok":true,"position":0,"result":{"steps":8,"types":[{"type":"todo/add","count":3},{"type":"search/open","count":1},{"type":"search/type","count":1},{"type":"todo/clear","count":1},{"type":"todo/saved","count":1},{"type":"todo/toggle","count":1}],"bytes":1366,"duration":10}}

        """)
    var marks = try Inspection(CauseLog.withMarks)
    #expect(
      try marks.text("stats") == """
        1 step in 0 s, 190 bytes
        1 a

        """)
  }
}
