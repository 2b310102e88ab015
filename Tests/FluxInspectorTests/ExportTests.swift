import Counter
import FluxJSON
import FluxLog
import Testing

@testable import FluxExchange
@testable import FluxInspector

@Suite struct ExportTests {
  /// A session that has run a command, with the file that it wrote.
  private func file(
    _ command: String, _ lines: [String] = TodoLog.lines, at position: String = "start"
  ) throws -> String? {
    let world = RecordedWorld()
    var inspection = try Inspection(lines, world: world)
    #expect(try inspection.exitCode("goto \(position)") == 0)
    #expect(try inspection.exitCode(command) == 0)
    return world.files["out"]
  }

  @Test("Redux DevTools gets each action with the states after it")
  func redux() throws {
    let file = try #require(try file("export redux out 5..8", at: "6"))
    let text = try JSON.parse(Array(file.utf8)).members.map { "\($0.name): \($0.value)" }
    let expected = [
      #"flux: {"flux":"1.0","log":"5f0c","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":5,"app":{"name":"TodoMVC","version":"1.0"},"stores":{"todos":{"type":"Todos","initial":{"items":[{"done":false,"id":1,"title":"milk"},{"done":false,"id":2,"title":"eggs"}]}},"search":{"type":"Search","feature":true}}}"#,
      #"monitorState: {}"#,
      #"actionsById: {"0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":1795176000000},"#
        + #""1":{"type":"PERFORM_ACTION","action":{"type":"todo/toggle","payload":{"id":2}},"timestamp":1795176003000,"flux":{"n":5,"t":3.000000}},"#
        + #""2":{"type":"PERFORM_ACTION","action":{"type":"search/open"},"timestamp":1795176004500,"flux":{"n":6,"t":4.500000,"target":"search"}},"#
        + #""3":{"type":"PERFORM_ACTION","action":{"type":"search/type","payload":"mi"},"timestamp":1795176004750,"flux":{"n":7,"t":4.750000,"cause":6}},"#
        + #""4":{"type":"PERFORM_ACTION","action":{"type":"todo/clear"},"timestamp":1795176010000,"flux":{"n":8,"t":10.000000}}}"#,
      #"nextActionId: 5"#,
      #"stagedActionIds: [0,1,2,3,4]"#,
      #"skippedActionIds: []"#,
      #"currentStateIndex: 2"#,
      #"committedState: {"todos":{"items":[{"done":false,"id":1,"title":"milk"},{"done":false,"id":2,"title":"eggs"}]}}"#,
      #"computedStates: [{"state":{"todos":{"items":[{"done":false,"id":1,"title":"milk"},{"done":false,"id":2,"title":"eggs"}]}}},"#
        + #"{"state":{"todos":{"items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]}}},"#
        + #"{"state":{"search":{"query":""},"todos":{"items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]}}},"#
        + #"{"state":{"search":{"query":"mi"},"todos":{"items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]}}},"#
        + #"{"state":{"todos":{"items":[]}}}]"#,
      #"isLocked: false"#,
      #"isPaused: false"#,
    ]
    #expect(text == expected)
  }

  @Test("A part of a state that is unchanged and long is a reference to where it is written")
  func sharedStates() throws {
    let long = String(repeating: "x", count: 250)
    func note(_ id: Int) -> String { #"{"id":\#(id),"text":"\#(long)"}"# }
    func line(_ n: Int, _ change: String) -> String {
      #"{"n":\#(n),"t":\#(n),"action":{"type":"note/edit"},\#(change)}"#
    }
    let lines = [
      #"{"flux":"1.1","log":"5f0c","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"#
        + #""stores":{"count":{"initial":0},"notes":{"initial":{"list":[\#(note(1)),\#(note(2))],"a-b":"\#(long)xxxxxx"}}}}"#,
      line(1, #""states":{"count":1}"#),
      line(2, #""patches":{"notes":[{"op":"replace","path":"/list/1/id","value":5}]}"#),
      line(3, #""patches":{"notes":[{"op":"add","path":"/list/0","value":{"id":9}}]}"#),
      line(4, #""patches":{"notes":[{"op":"replace","path":"/a-b","value":"short"}]}"#),
      #"{"end":{"steps":4,"ok":true}}"#,
    ]
    let redux = try #require(try file("export redux out", lines))
    let states = try JSON.parse(Array(redux.utf8))["computedStates"]?.elements.map(\.description)
    let first = #"{"$jsan":"$.computedStates[0].state.notes.list[0]"}"#
    #expect(
      states == [
        #"{"state":{"count":0,"notes":{"list":[\#(note(1)),\#(note(2))],"a-b":"\#(long)xxxxxx"}}}"#,
        #"{"state":{"count":1,"notes":{"$jsan":"$.computedStates[0].state.notes"}}}"#,
        #"{"state":{"count":1,"notes":{"list":[\#(first),\#(note(5))],"#
          + #""a-b":{"$jsan":"$.computedStates[0].state.notes[\"a-b\"]"}}}}"#,
        #"{"state":{"count":1,"notes":{"list":[{"id":9},\#(first),"#
          + #"{"$jsan":"$.computedStates[2].state.notes.list[1]"}],"#
          + #""a-b":{"$jsan":"$.computedStates[0].state.notes[\"a-b\"]"}}}}"#,
        #"{"state":{"count":1,"notes":{"list":{"$jsan":"$.computedStates[3].state.notes.list"},"a-b":"short"}}}"#,
      ])
    // The import follows the references.
    let run = try ImportRun(redux.utf8, slices: true)
    #expect(run.subcommand.code == 0)
    #expect(try run.lost == "[]")
    let (old, new) = (try Inspection(lines).session.timeline, try run.timeline)
    for position in -1..<4 {
      #expect(try new.model(at: position).json == old.model(at: position).json)
    }
  }

  @Test("Members whose names only look the same refer to their own values")
  func accents() throws {
    let long = String(repeating: "x", count: 300)
    func state(_ n: Int) -> String {
      "{\"\u{E9}\":\"1\(long)\",\"e\u{301}\":\"2\(long)\",\"n\":\(n)}"
    }
    let steps = (1...3).map {
      #"{"n":\#($0),"t":\#($0),"action":{"type":"a"},"states":{"s":\#(state($0))}}"#
    }
    let lines =
      [#"{"flux":"1.1","log":"5f0c","first":1,"stores":{"s":{"initial":\#(state(0))}}}"#] + steps
      + [#"{"end":{"steps":3,"ok":true}}"#]
    let redux = try #require(try file("export redux out", lines))
    let run = try ImportRun(redux.utf8, slices: true)
    #expect(run.subcommand.code == 0)
    let (old, new) = (try Inspection(lines).session.timeline, try run.timeline)
    for position in -1..<3 {
      #expect(try new.model(at: position).json == old.model(at: position).json)
    }
  }

  @Test("The order of a million actions is handed on in pieces")
  func order() throws {
    let timeline = try Inspection().session.timeline
    let steps = ExportedSteps(timeline: timeline, positions: 0..<1_000_000, here: 0) { _, _ in }
    var pieces: [Int] = []
    var sink = ByteSink { pieces.append($0.count) }
    var writer = JSONWriter()
    writer.beginObject()
    try steps.writeOrder(
      count: 1_000_000, skipped: [], shown: 0, with: &writer, to: &sink)
    #expect(pieces.allSatisfy { $0 < 100_000 })
    #expect(pieces.reduce(0, +) > 6_000_000)
    #expect(writer.bytes.count < 100_000)
  }

  @Test("Everything else that the log has of a step stands beside its action")
  func circumstances() throws {
    let file = try #require(try file("export redux out 2..4"))
    let lifted = try JSON.parse(Array(file.utf8))
    #expect(
      lifted["actionsById"]?["1"]?["flux"]?.description
        == #"{"n":2,"t":1.000000,"at":"Todos.swift:12","x":{"cause":1,"effect":"save"}}"#)
    #expect(
      lifted["actionsById"]?["3"]?["flux"]?.description
        == #"{"n":4,"t":2.000000,"rejected":{"reason":"invalid","message":"a title is needed","store":"todos"}}"#
    )
    #expect(lifted["computedStates"]?[3]?["error"] == "invalid: a title is needed")
  }

  @Test("A log whose app went back to another model lacks no lines")
  func restored() throws {
    var inspection = try Inspection(
      [TodoLog.header] + TodoLog.steps[..<2] + [
        #"{"gap":{"from":3,"to":2,"why":"restored","step":0}}"#,
        #"{"n":3,"t":1.25,"action":{"type":"todo/clear"},"states":{"todos":{"items":[]}}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ], world: RecordedWorld())
    #expect(
      try inspection.text("export csv out") == """
        3 steps exported to out
        note: the app went back to another model in 1 place

        """)
  }

  @Test("A state that is not known is left out and named, and is no error")
  func unknown() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(TodoLog.withDamage, world: world)
    #expect(
      try inspection.transcript("export redux out 4..6") == """
        > export redux out 4..6
        3 steps exported to out
        note: lines of the log are missing or damaged in 1 place

        """)
    let lifted = try JSON.parse(Array(try #require(world.files["out"]).utf8))
    #expect(
      lifted["computedStates"]?.description
        == #"[{"state":{"todos":{"items":[{"done":false,"id":1,"title":"milk"}]}}},"#
        + #"{"state":{"todos":{"items":[{"done":false,"id":1,"title":"milk"}]}}},{"state":{},"error":"invalid: a title is needed"},{"state":{}},{"state":{"search":{"query":""}}}]"#
    )
    #expect(
      lifted["actionsById"]?["1"]?.description
        == #"{"type":"PERFORM_ACTION","action":{"type":"@@flux/gap","payload":{"from":4,"to":3,"why":"damaged"}},"#
        + #""timestamp":1795176000000,"flux":{"gap":{"from":4,"to":3,"why":"damaged"}}}"#)
    #expect(
      lifted["actionsById"]?["4"]?["flux"]?.description
        == #"{"n":6,"t":4.500000,"target":"search","unknown":["todos"]}"#)
  }

  @Test("Rejections of Redux DevTools, marks and gaps come back as what they were there")
  func reduxRejections() throws {
    let lines = [
      #"{"flux":"1.1","created":"2026-11-20T12:00:00Z","first":1,"stores":{"a":{"initial":{"$jsan":"u"}}}}"#,
      #"{"n":1,"t":1,"action":{"type":"A","n":9007199254740993},"rejected":{"reason":"error","message":"Error: no"}}"#,
      #"{"n":2,"t":1,"action":{"type":"B"},"rejected":{"reason":"interrupted","message":""}}"#,
      #"{"mark":"here","t":1}"#,
      #"{"n":3,"t":1,"action":{"type":"C"},"rejected":{"reason":"skipped","message":""}}"#,
      #"{"gap":{"from":4,"to":5,"why":"paused"}}"#,
    ]
    let world = RecordedWorld()
    var inspection = try Inspection(lines, world: world)
    #expect(
      try inspection.transcript("export redux out") == """
        > export redux out
        3 steps exported to out
        note: 1 number in the file has more digits or a larger exponent than JavaScript keeps

        """)
    let lifted = try JSON.parse(Array(try #require(world.files["out"]).utf8))
    #expect(
      lifted["computedStates"]?.description
        == #"[{"state":{"a":{"$jsan":["u"]}}},{"state":{"a":{"$jsan":["u"]}},"error":"Error: no"},"#
        + #"{"state":{"a":{"$jsan":["u"]}},"error":"Interrupted by an error up the chain"},{"state":{"a":{"$jsan":["u"]}}},"#
        + #"{"state":{"a":{"$jsan":["u"]}},"error":"Interrupted by an error up the chain"},{"state":{"a":{"$jsan":["u"]}}}]"#
    )
    #expect(lifted["skippedActionIds"] == [4])
    #expect(
      lifted["actionsById"]?["3"]?["flux"]?.description == #"{"mark":"here","t":1.000000}"#)
    #expect(
      lifted["actionsById"]?["5"]?["action"]?.description
        == #"{"type":"@@flux/gap","payload":{"from":4,"to":5,"why":"paused"}}"#)
  }

  @Test("A file that Redux DevTools cannot read is refused, with the way to a shorter one")
  func tooLong() throws {
    let timeline = try Inspection().session.timeline
    let steps = ExportedSteps(timeline: timeline, positions: 0..<8, here: 0) { _, _ in }
    var sink = ByteSink { _ in }
    let error = #expect(throws: CommandError.self) {
      _ = try steps.writeLiftedState(to: &sink, byteLimit: 1000)
    }
    #expect(error?.note == "export fewer steps with RANGE: export redux FILE A..B")
    #expect(ExportedSteps.byteLimit == 512 << 20)
  }

  @Test("The actions alone are an array with an action a line")
  func actions() throws {
    #expect(
      try file("export actions out ..3") == """
        [
        {"type":"todo/add","payload":{"title":"milk"}},
        {"type":"todo/saved","payload":{"id":1}},
        {"type":"todo/add","payload":{"title":"eggs"}}
        ]

        """)
  }

  @Test("The table has a row for each step, with quotes where a field has its signs")
  func table() throws {
    #expect(
      try file("export csv out")
        == [
          "n,t,time,type,payload,target,cause,effect,at,rejected,changed",
          #"1,0.5,2026-11-20T12:00:00.500000Z,todo/add,"{""title"":""milk""}",,,,,,todos"#,
          #"2,1,2026-11-20T12:00:01.000000Z,todo/saved,"{""id"":1}",,1,save,Todos.swift:12,,"#,
          #"3,1.25,2026-11-20T12:00:01.250000Z,todo/add,"{""title"":""eggs""}",,,,,,todos"#,
          #"4,2,2026-11-20T12:00:02.000000Z,todo/add,"{""title"":""""}",,,,,invalid: a title is needed,"#,
          #"5,3,2026-11-20T12:00:03.000000Z,todo/toggle,"{""id"":2}",,,,,,todos"#,
          #"6,4.5,2026-11-20T12:00:04.500000Z,search/open,,search,,,,,search"#,
          #"7,4.75,2026-11-20T12:00:04.750000Z,search/type,"""mi""",,6,,,,search"#,
          #"8,10,2026-11-20T12:00:10.000000Z,todo/clear,,,,,,,"todos, search""#,
        ].map { $0 + "\r\n" }.joined())
  }

  @Test("No cell of the table is a formula or controls a program, and numbers stay numbers")
  func tableCells() throws {
    let lines = [
      TodoLog.header,
      #"{"n":1,"t":1,"action":{"type":"=HYPERLINK(\"a\",\"b\")","payload":-5},"target":"+1","effect":"-e","at":"@f:1"}"#,
      #"{"n":2,"t":2,"action":{"type":"\t=1\r\n\u001b[2J","payload":"=1"},"effect":"\u202e=x","at":"＝1"}"#,
      #"{"n":3,"t":3,"action":{"type":"a=1"},"rejected":{"reason":"=r","message":"line\nline"}}"#,
      #"{"n":4,"t":4,"action":{"type":" =1","payload":"a"},"target":"\r=1","effect":"\n@","at":"\u00a0\u2212 1"}"#,
      #"{"n":5,"t":5,"action":{"type":"\u200b=1"},"target":"\ufeff+1"}"#,
      #"{"end":{"steps":5,"ok":true}}"#,
    ]
    #expect(
      try file("export csv out", lines)
        == [
          "n,t,time,type,payload,target,cause,effect,at,rejected,changed",
          #"1,1,2026-11-20T12:00:01.000000Z,"'=HYPERLINK(""a"",""b"")",-5,'+1,,'-e,'@f:1,,"#,
          #"2,2,2026-11-20T12:00:02.000000Z,\u0009=1\u000d\u000a\u001b[2J,"""=1""",,,\u202e=x,'＝1,,"#,
          #"3,3,2026-11-20T12:00:03.000000Z,a=1,,,,,,'=r: line\u000aline,"#,
          #"4,4,2026-11-20T12:00:04.000000Z,' =1,"""a""",\u000d=1,,\u000a@,'"#
            + "\u{A0}\u{2212} 1,,",
          #"5,5,2026-11-20T12:00:05.000000Z,\u200b=1,,\ufeff+1,,,,,"#,
        ].map { $0 + "\r\n" }.joined())
  }

  @Test("A log without steps gives what is empty, and not what cannot be read")
  func empty() throws {
    let lines = [TodoLog.header, #"{"end":{"steps":0,"ok":true}}"#]
    #expect(try file("export actions out", lines) == "[\n]\n")
    let redux = try #require(try file("export redux out", lines))
    #expect(
      try JSON.parse(Array(redux.utf8))["computedStates"]?.description
        == #"[{"state":{"todos":{"items":[]}}}]"#)
  }

  @Test("What cannot be exported is refused, and nothing is written")
  func refused() throws {
    let world = RecordedWorld(files: ["there": "mine"])
    var inspection = try Inspection(world: world)
    #expect(
      try inspection.transcript(
        "export", "export xml f", "export csv", "export csv f 7..3", "export csv there",
        "export csv there 1..2 --force") == """
          > export
          error: export: a format is missing
          hint: usage: export redux|actions|csv|trace FILE|-o FILE [RANGE] [--force]
          > export xml f
          error: export: there is no format xml; it is one of redux, actions, csv or trace
          hint: usage: export redux|actions|csv|trace FILE|-o FILE [RANGE] [--force]
          > export csv
          error: export: a file is missing
          hint: usage: export redux|actions|csv|trace FILE|-o FILE [RANGE] [--force]
          > export csv f 7..3
          error: the range ends at step 3, before it begins at step 7
          > export csv there
          error: there already exists
          hint: --force overwrites it
          > export csv there 1..2 --force
          2 steps exported to there

          """)
    #expect(world.files.keys.sorted() == ["there"])
    #expect(
      try inspection.json("export actions f 1..2")
        == #"{"command":"export actions f 1..2","ok":true,"position":0,"result":{"file":"f","format":"actions","steps":2}}"#
        + "\n")
  }

  @Test("A fork is not the recording, and is not exported as if it were")
  func fork() throws {
    let world = RecordedWorld()
    var services = world.services
    services.app = CounterApp()
    var inspection = try Inspection(CounterRecording.lines, services: services)
    #expect(
      try inspection.transcript("fork 5", "export csv f", "switch 0", "export csv f ..1") == """
        > fork 5
        fork 1 after step 5, 0 steps
        > export csv f
        error: export: a fork is not in the log
        hint: 'save FILE' makes a log of it; 'switch 0' goes back to the recording
        > switch 0
        0 start: the state before the first step
        > export csv f ..1
        1 step exported to f

        """)
  }

  @Test("An export that is interrupted says so")
  func interrupted() throws {
    let world = RecordedWorld()
    var services = world.services
    services.isInterrupted = { true }
    var inspection = try Inspection(services: services)
    #expect(
      try inspection.transcript("export csv f 1..2") == "> export csv f 1..2\nerror: interrupted\n")
  }

  @Test("A trace has a track for each store and effect, and an arrow from each cause")
  func trace() throws {
    let lines = [
      #"{"flux":"1.1","log":"5f0c","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"#
        + #""app":{"name":"Shop"},"stores":{"cart":{"initial":0},"\u001b[31m":{"initial":0}}}"#,
      #"{"n":1,"t":0.000010,"action":{"type":"cart/load","payload":7},"target":"cart","effects":{"cart":["load","load"]},"took":40}"#,
      #"{"n":2,"t":0.000020,"action":{"type":"cart/add"},"states":{"cart":1,"\u001b[31m":1},"took":5,"at":"Cart.swift:3"}"#,
      #"{"n":3,"t":0.000100,"action":{"type":"cart/loaded"},"cause":1,"effect":"load","states":{"cart":2}}"#,
      #"{"mark":"here","t":0.000110}"#,
      #"{"n":4,"t":0.000200,"action":{"type":"cart/pay"},"rejected":{"reason":"invalid","message":"empty","store":"cart"},"effects":{}}"#,
      #"{"gap":{"from":5,"to":6,"why":"lost"}}"#,
      #"{"n":7,"t":0.000300,"action":{"type":"tick"},"states":{"cart":3,"\u001b[31m":1}}"#,
      #"{"end":{"steps":5,"ok":true}}"#,
    ]
    let file = try #require(try file("export trace -o out", lines))
    let trace = try JSON.parse(Array(file.utf8))
    #expect(trace["displayTimeUnit"] == "ms")
    let events = try #require(trace["traceEvents"]).elements.map(\.description)
    #expect(
      events == [
        #"{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Shop"}}"#,
        #"{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"dispatcher"}}"#,
        #"{"ph":"i","name":"here","cat":"mark","pid":1,"tid":1,"ts":110,"s":"g"}"#,
        #"{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"store cart"}}"#,
        #"{"ph":"X","name":"cart/load","cat":"step","pid":1,"tid":2,"ts":10,"dur":40,"args":{"step":1,"payload":7}}"#,
        #"{"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"store \u001b[31m"}}"#,
        #"{"ph":"X","name":"cart/add","cat":"step","pid":1,"tid":2,"ts":50,"dur":5,"args":{"step":2,"at":"Cart.swift:3"}}"#,
        #"{"ph":"X","name":"cart/add","cat":"step","pid":1,"tid":3,"ts":50,"dur":5,"args":{"step":2,"at":"Cart.swift:3"}}"#,
        #"{"ph":"X","name":"cart/loaded","cat":"step","pid":1,"tid":2,"ts":100,"dur":1,"args":{"step":3,"cause":1,"effect":"load"}}"#,
        #"{"ph":"s","name":"cause","cat":"cause","pid":1,"tid":2,"ts":10,"id":3}"#,
        #"{"ph":"f","name":"cause","cat":"cause","pid":1,"tid":2,"ts":100,"id":3,"bp":"e"}"#,
        #"{"ph":"X","name":"cart/pay","cat":"step","pid":1,"tid":2,"ts":200,"dur":1,"args":{"step":4}}"#,
        #"{"ph":"i","name":"rejected: cart/pay","cat":"rejection","pid":1,"tid":2,"ts":200,"s":"t","args":{"step":4,"reason":"invalid","message":"empty"}}"#,
        #"{"ph":"i","name":"steps 5 to 6 not in the log: lost","cat":"gap","pid":1,"tid":1,"ts":300,"s":"g"}"#,
        #"{"ph":"X","name":"tick","cat":"step","pid":1,"tid":2,"ts":300,"dur":1,"args":{"step":7}}"#,
        #"{"ph":"M","name":"thread_name","pid":1,"tid":4,"args":{"name":"effect load"}}"#,
        #"{"ph":"X","name":"load","cat":"effect","pid":1,"tid":4,"ts":10,"dur":1,"args":{"startedBy":1,"store":"cart","lastResult":"none in the recording"}}"#,
        #"{"ph":"M","name":"thread_name","pid":1,"tid":5,"args":{"name":"effect load (2)"}}"#,
        #"{"ph":"X","name":"load","cat":"effect","pid":1,"tid":5,"ts":10,"dur":90,"args":{"startedBy":1,"store":"cart","lastResult":3}}"#,
      ])
  }
}
