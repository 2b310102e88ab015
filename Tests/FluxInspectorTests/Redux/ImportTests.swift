import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxCorpus
@testable import FluxExchange
@testable import FluxInspector

@Suite struct ImportTests {
  /// The beginning of the header of a session with tags.
  private static let jsanHeader = header.replacing(#""first":1"#, with: #""first":1,"jsan":true"#)
  private static let header =
    #"{"flux":"1.1","created":"2023-11-14T22:13:20.000000Z","first":1,"stores":{"#

  @Test("Staged actions become steps in their order, with all their members and their ids")
  func order() throws {
    let run = try ImportRun(
      Lifted.text(
        [
          Lifted.entry(#"{"type":"ADD","text":"x"}"#, at: 100),
          Lifted.entry(#"{"type":"SWEPT"}"#, at: 200),
          Lifted.entry(#"{"type":7,"id":1}"#, at: 50),
        ],
        states: [#"{"state":{"n":0}}"#, #"{"state":{"n":1}}"#, #"{"state":{"n":2}}"#],
        staged: "[0,3,1]", more: #","skippedActionIds":[],"isLocked":true,"isPaused":true"#))
    #expect(run.subcommand.code == 0, "\(run.subcommand.diagnostics)")
    #expect(
      try run.lines == [
        Self.header + #""state":{"initial":{"n":0}}}}"#,
        #"{"n":1,"t":0.050000,"action":{"type":"7","id":1},"states":{"state":{"n":1}},"x":{"id":3}}"#,
        #"{"n":2,"t":0.100000,"action":{"type":"ADD","text":"x"},"states":{"state":{"n":2}},"x":{"id":1}}"#,
        #"{"mark":"Redux DevTools: changes are locked","t":0.100000}"#,
        #"{"mark":"Redux DevTools: recording is paused","t":0.100000}"#,
        #"{"end":{"steps":2,"ok":true}}"#,
      ])
    #expect(
      try run.lost
        == #"[{"what":"actions that are not staged","count":1,"first":"$.actionsById.2"}]"#)
  }

  @Test("Of several actions with one id, the last one counts, and the others are lost")
  func repeatedIDs() throws {
    let session = Lifted.text(
      [Lifted.entry(#"{"type":"A"}"#), Lifted.entry(#"{"type":"B"}"#)],
      states: [#"{"state":0}"#, #"{"state":1}"#], staged: "[0,1]"
    ).replacing(#""2":"#, with: #""1":"#)
    for text in [session, session.replacing(#""stagedActionIds":[0,1],"#, with: "")] {
      let run = try ImportRun(text)
      #expect(
        try run.lines.dropFirst().dropLast() == [
          #"{"n":1,"t":0.000000,"action":{"type":"B"},"states":{"state":1},"x":{"id":1}}"#
        ])
      #expect(
        try run.lost
          == #"[{"what":"actions whose id occurs again","count":1,"first":"$.actionsById.1"}]"#)
    }
  }

  @Test("A formatted session makes the same log as one without line breaks")
  func formatted() throws {
    let session = Lifted.text(
      [Lifted.entry(#"{"type":"A","b":[1]}"#, more: #","meta":{"a":[1,{"b":2}],"c":{}}"#)],
      states: [#"{"state":{"n":[0]}}"#, #"{"state":{"n":[1]}}"#])
    let world = RecordedWorld()
    var inspection = try Inspection(
      [
        #"{"flux":"1.1","circumstances":{"shop":{"a":[1,2]}},"stores":{"s":{"initial":{"n":0}}}}"#,
        #"{"n":1,"t":1,"action":{"type":"A"},"states":{"s":{"n":[1]}},"x":{"a":{"b":[1]}}}"#,
        #"{"gap":{"from":2,"to":1,"why":"restored"},"states":{"s":{"n":[5]}}}"#,
        #"{"n":2,"t":2,"action":{"type":"A"},"states":{"s":{"n":6}}}"#,
        #"{"end":{"steps":2,"ok":true}}"#,
      ], world: world)
    try #require(try inspection.exitCode("export redux out") == 0)
    let export = try #require(world.files["out"])
    for (text, slices) in [(session, false), (export, true)] {
      let lines = try ImportRun(text, slices: slices).lines
      #expect(lines.count > 2)
      #expect(try ImportRun(JSON.parse(text).pretty(), slices: slices).lines == lines)
    }
  }

  @Test("A time never decreases, and the original of a moved one is kept")
  func times() throws {
    let run = try ImportRun(
      Lifted.text(
        [
          Lifted.entry(#"{"type":"A"}"#, at: 300), Lifted.entry(#"{"type":"B"}"#, at: 200),
          #"{"action":{"type":"C"},"timestamp":1700000000400.25}"#,
          #"{"action":{"type":"D"},"timestamp":{"$jsan":"n"}}"#, #"{"action":{"type":"E"}}"#,
        ], states: (0...5).map { #"{"state":\#($0)}"# }))
    #expect(
      try run.lines.dropFirst().dropLast() == [
        #"{"n":1,"t":0.300000,"action":{"type":"A"},"states":{"state":1},"x":{"id":1}}"#,
        #"{"n":2,"t":0.300000,"action":{"type":"B"},"states":{"state":2},"x":{"id":2,"timestamp":1700000000200}}"#,
        #"{"n":3,"t":0.400250,"action":{"type":"C"},"states":{"state":3},"x":{"id":3}}"#,
        #"{"n":4,"t":0.400250,"action":{"type":"D"},"states":{"state":4},"x":{"id":4,"timestamp":{"$jsan":"n"}}}"#,
        #"{"n":5,"t":0.400250,"action":{"type":"E"},"states":{"state":5},"x":{"id":5}}"#,
      ])
    #expect(try run.lost == "[]")
  }

  @Test("Errors, interruptions and skipped actions are rejected steps")
  func rejections() throws {
    let run = try ImportRun(
      Lifted.text(
        ["A", "B", "C", "D"].map { Lifted.entry(#"{"type":"\#($0)"}"#) },
        states: [
          #"{"state":1}"#, #"{"state":1,"error":"Error: no"}"#,
          #"{"state":1,"error":"Interrupted by an error up the chain"}"#,
          #"{"state":1,"error":"Interrupted by an error up the chain"}"#,
          #"{"state":9,"error":{"a":1}}"#,
        ], more: #","skippedActionIds":[3,"8"]"#))
    #expect(
      try run.lines.dropFirst().dropLast() == [
        #"{"n":1,"t":0.000000,"action":{"type":"A"},"rejected":{"reason":"error","message":"Error: no"},"x":{"id":1}}"#,
        #"{"n":2,"t":0.000000,"action":{"type":"B"},"rejected":{"reason":"interrupted","message":"Interrupted by an error up the chain"},"x":{"id":2}}"#,
        #"{"n":3,"t":0.000000,"action":{"type":"C"},"rejected":{"reason":"skipped","message":"skipped in Redux DevTools"},"x":{"id":3}}"#,
        #"{"n":4,"t":0.000000,"action":{"type":"D"},"rejected":{"reason":"error","message":"{\"a\":1}"},"x":{"id":4}}"#,
      ])
    #expect(
      try run.lost
        == #"[{"what":"skipped ids that are not staged","count":1,"first":"$.skippedActionIds[1]"},"#
        + #"{"what":"states of rejected steps","count":1,"first":"$.computedStates[4].state"}]"#)
    let world = RecordedWorld()
    var inspection = try Inspection(try run.lines, world: world)
    #expect(try inspection.exitCode("export redux out") == 0)
    let export = try JSON.parse(try #require(world.files["out"]))
    #expect(export["skippedActionIds"] == [3])
    #expect(
      export["computedStates"]?.text
        == #"[{"state":1},{"state":1,"error":"Error: no"},"#
        + #"{"state":1,"error":"Interrupted by an error up the chain"},"#
        + #"{"state":1,"error":"Interrupted by an error up the chain"},"#
        + #"{"state":1,"error":"{\"a\":1}"}]"#)
  }

  @Test("An undefined root state is an absent feature")
  func undefined() throws {
    let run = try ImportRun(
      Lifted.text(
        ["A", "B", "C"].map { Lifted.entry(#"{"type":"\#($0)"}"#) },
        states: ["{}", #"{"state":null}"#, #"{"state":{"$jsan":"u"}}"#, #"{"state":2}"#]))
    #expect(
      try run.lines.dropLast() == [
        Self.jsanHeader + #""state":{"feature":true}}}"#,
        #"{"n":1,"t":0.000000,"action":{"type":"A"},"states":{"state":null},"x":{"id":1}}"#,
        #"{"n":2,"t":0.000000,"action":{"type":"B"},"removed":["state"],"x":{"id":2}}"#,
        #"{"n":3,"t":0.000000,"action":{"type":"C"},"states":{"state":2},"x":{"id":3}}"#,
      ])
  }

  @Test("--slices makes a store of each member, and refuses another root")
  func slices() throws {
    let entries = ["A", "B"].map { Lifted.entry(#"{"type":"\#($0)"}"#) }
    let run = try ImportRun(
      Lifted.text(
        entries,
        states: [
          #"{"state":{"b":1,"a":{"y":1,"x":2}}}"#, #"{"state":{"b":1,"a":{"x":2,"y":1},"c":[]}}"#,
          #"{"state":{"b":2,"c":[]}}"#,
        ]), slices: true)
    #expect(
      try run.lines.dropLast() == [
        Self.header
          + #""b":{"initial":1},"a":{"feature":true,"initial":{"x":2,"y":1}},"c":{"feature":true}}}"#,
        #"{"n":1,"t":0.000000,"action":{"type":"A"},"states":{"c":[]},"x":{"id":1}}"#,
        #"{"n":2,"t":0.000000,"action":{"type":"B"},"states":{"b":2},"removed":["a"],"x":{"id":2}}"#,
      ])
    // The state of a rejected step is none of the log.
    let rejected = try ImportRun(
      Lifted.text(
        entries,
        states: [
          #"{"state":{"a":1}}"#, #"{"state":{"z":1},"error":"no"}"#, #"{"state":{"a":1,"b":2}}"#,
        ]), slices: true)
    #expect(
      try rejected.lines.first == Self.header + #""a":{"initial":1},"b":{"feature":true}}}"#)
    let other = try ImportRun(
      Lifted.text(entries, states: [#"{"state":{}}"#, #"{"state":3}"#, #"{"state":{}}"#]),
      slices: true)
    #expect(other.subcommand.code == 4)
    #expect(
      other.subcommand.diagnostics == """
        error: session.json: $.computedStates[1].state: --slices needs an object as the root state, found 3
        hint: without --slices, the log has one store named state

        """)
    #expect(try other.folder.names() == ["session.json"])
  }

  @Test("--slices makes two stores of members whose names only look the same")
  func accents() throws {
    let states = [(0, 7), (1, 7)].map { "{\"state\":{\"\u{E9}\":\($0.0),\"e\u{301}\":\($0.1)}}" }
    let run = try ImportRun(
      Lifted.text([Lifted.entry(#"{"type":"A"}"#)], states: states), slices: true)
    let expected = [
      Self.header + "\"\u{E9}\":{\"initial\":0},\"e\u{301}\":{\"initial\":7}}}",
      #"{"n":1,"t":0.000000,"action":{"type":"A"},"states":{""# + "\u{E9}"
        + #"":1},"x":{"id":1}}"#,
    ]
    #expect(try run.lines.dropLast().map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test("An unknown state needs a gap, even if a state whose name only looks the same is left out")
  func accentsOfUnknownStores() {
    let tracker = StateTracker(usesSlices: true)
    let (one, two) = ("\u{E9}", "e\u{301}")
    #expect(tracker.needsGap(before: [one, two], unwritten: [one]))
    #expect(!tracker.needsGap(before: [one, two], unwritten: [one, two]))
  }

  @Test("Two ids that only look the same are two, and a reference to such a member is no cycle")
  func accentsOfIDs() throws {
    let (one, two) = ("\u{E9}", "e\u{301}")
    let states = [
      #"{"state":{"\#(one)":1}}"#, #"{"state":{"\#(one)":2}}"#,
      #"{"state":{"\#(two)":{"$jsan":"$.computedStates[2].state[\"\#(one)\"]"},"\#(one)":{"$jsan":"$.computedStates[2].state[\"x\"]"},"x":5}}"#,
    ]
    let text = Lifted.text(
      [Lifted.entry(#"{"type":"A"}"#), Lifted.entry(#"{"type":"B"}"#)], states: states,
      staged: #"[0,"\#(one)","\#(two)"]"#
    ).replacing(#""1":"#, with: "\"\(one)\":").replacing(#""2":"#, with: "\"\(two)\":")
    let run = try ImportRun(text)
    #expect(try run.lost == "[]")
    let steps = try run.lines.dropFirst().dropLast().map { try JSON.parse($0) }
    #expect(steps.map { $0["action"]?["type"]?.string } == ["A", "B"])
    #expect(
      try steps.last?["states"]?["state"]
        == JSON.parse("{\"\(two)\":5,\"\(one)\":5,\"x\":5}"))
  }

  @Test("The state that was shown is a mark, and the stack keeps its first file")
  func circumstances() throws {
    let stack =
      #","stack":"Error\n    at add (http://localhost:3000/src/todos.js?t=1:12:5)\n    at b (c.js:1:2)","extra":1"#
    let run = try ImportRun(
      Lifted.text(
        [Lifted.entry(#"{"type":"A"}"#, more: stack), Lifted.entry(#"{"type":"B"}"#)],
        states: [#"{"state":1}"#, #"{"state":1}"#, #"{"state":1}"#]
      ).replacing(#""currentStateIndex":2"#, with: #""currentStateIndex":1"#))
    #expect(
      try run.lines.dropFirst().dropLast() == [
        #"{"n":1,"t":0.000000,"action":{"type":"A"},"at":"todos.js:12","x":{"id":1,"stack":"Error\n    at add (http://localhost:3000/src/todos.js?t=1:12:5)\n    at b (c.js:1:2)","extra":1}}"#,
        #"{"mark":"Redux DevTools: current state","t":0.000000}"#,
        #"{"n":2,"t":0.000000,"action":{"type":"B"},"x":{"id":2}}"#,
      ])
  }

  @Test("A stack that an import kept is exported where the DevTools look for it")
  func exportedStack() throws {
    let stack = #""stack":"Error\n    at add (todos.js:12:5)""#
    let run = try ImportRun(
      Lifted.text(
        [Lifted.entry(#"{"type":"A"}"#, more: ",\(stack)")],
        states: [#"{"state":1}"#, #"{"state":1}"#]))
    let world = RecordedWorld()
    var inspection = try Inspection(try run.lines, world: world)
    try #require(try inspection.exitCode("export redux out") == 0)
    let export = try #require(world.files["out"])
    #expect(
      try JSON.parse(export)["actionsById"]?["1"]?.text
        == #"{"type":"PERFORM_ACTION","action":{"type":"A"},"timestamp":1700000000000,\#(stack),"#
        + #""flux":{"n":1,"t":0.000000,"at":"todos.js:12","x":{"id":1,\#(stack)}}}"#)
    #expect(try ImportRun(export, slices: true).lines == run.lines)
  }

  @Test(
    "The place of a dispatch is a file and a line",
    arguments: [
      ("Error\n    at f (webpack:///./src/a.ts:10:3)", "a.ts:10"),
      ("add@/home/u/b.js:4:1\nc", "b.js:4"),
      ("    at C:\\app\\c.js:7:1", "c.js:7"),
      ("Error\n    at <anonymous>:1:2\n    at d.js:1:1", nil),
      ("    at http://localhost:3000", nil), ("no frame", nil), ("", nil),
    ] as [(String, String?)])
  func frames(_ stack: String, _ place: String?) {
    #expect(JavaScriptFrame.place(in: stack) == place)
  }

  @Test("Actions without states come after a gap, and their states are not known")
  func lists() throws {
    let lines = [
      #"{"gap":{"from":1,"to":0,"why":"imported"}}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"A","k":1}}"#,
      #"{"n":2,"t":0.000000,"action":{"type":"B"}}"#, #"{"end":{"steps":2,"ok":true}}"#,
    ]
    let export = try ImportRun(
      #"{"payload":"[{\"type\":\"A\",\"k\":1},{\"type\":\"B\"}]","preloadedState":"{\"n\":\"\\ud800\\u00e9\"}"}"#
    )
    #expect(
      try export.lines
        == [#"{"flux":"1.1","first":1,"stores":{"state":{"initial":{"n":"\ud800\u00e9"}}}}"#]
        + lines)
    let list = try ImportRun(#"[{"type":"@@INIT"},{"type":"A","k":1},{"type":"B"}]"#)
    #expect(
      try list.lines == [#"{"flux":"1.1","first":1,"stores":{"state":{}}}"#] + lines)
    #expect(try list.timeline.model(at: 0).unknownStores == ["state"])
    #expect(try list.timeline.log.findings.isEmpty)
    let recorder = try ImportRun(
      #"[{"timestamp":472003200.5,"action":{"type":"A","payload":{"k":1},"isTypedAction":true}}]"#)
    #expect(
      try recorder.lines.dropFirst(2).first
        == #"{"n":1,"t":0.000000,"action":{"type":"A","payload":{"k":1},"isTypedAction":true},"x":{"timestamp":472003200.5}}"#
    )
    #expect(recorder.subcommand.results.contains(#""lost":[]"#))
    let report = try ImportRun(#"{"id":"1","title":"slow","payload":"[{\"type\":\"A\"}]"}"#)
    #expect(
      report.subcommand.results.contains(
        #"[{"what":"other members of the session","count":2,"first":"$.id"}]"#))
  }

  @Test("The text in a string is UTF-8, and a string that is no JSON is refused")
  func texts() throws {
    let half = try ImportRun(#"{"payload":"[{\"type\":\"A\ud800\"}]"}"#)
    #expect(
      try half.lines.dropFirst(2).first
        == #"{"n":1,"t":0.000000,"action":{"type":"A\#u{FFFD}"}}"#)
    let escape = try ImportRun(#"{"payload":"[\q]"}"#)
    let fault = JSONError(byte: 13, reason: .invalidEscape)
    #expect(escape.subcommand.code == 4)
    #expect(
      escape.subcommand.diagnostics == "error: session.json: $.payload: \(fault.message)\n")
  }

  @Test("A session in a string, in a message and in a payload is found by its shape")
  func shapes() throws {
    let lifted = Lifted.text(
      [Lifted.entry(#"{"type":"A"}"#)], states: [#"{"state":1}"#, #"{"state":2}"#])
    let quoted = JSON(stringLiteral: lifted).text
    let lines = try ImportRun(lifted).lines
    for text in [
      quoted, #"{"type":"DISPATCH","payload":{"type":"JUMP"},"state":\#(quoted)}"#,
      #"{"payload":\#(quoted)}"#,
      "\u{FEFF} \(lifted)\n",
    ] {
      #expect(try ImportRun(text).lines == lines)
    }
  }

  @Test("Missing states are unknown from there on, until there is one again")
  func missingStates() throws {
    let entries = ["A", "B"].map { Lifted.entry(#"{"type":"\#($0)"}"#) }
    let run = try ImportRun(Lifted.text(entries, states: [#"{"state":1}"#, #"{"state":2}"#]))
    #expect(
      try run.lines.dropFirst().dropLast() == [
        #"{"n":1,"t":0.000000,"action":{"type":"A"},"states":{"state":2},"x":{"id":1}}"#,
        #"{"mark":"Redux DevTools: current state","t":0.000000}"#,
        #"{"gap":{"from":2,"to":1,"why":"imported"}}"#,
        #"{"n":2,"t":0.000000,"action":{"type":"B"},"x":{"id":2}}"#,
      ])
  }

  @Test("References are copied, and a cycle is cut with its path")
  func references() throws {
    let run = try ImportRun(
      Lifted.text(
        [
          Lifted.entry(#"{"type":"A","p":{"q w":[1,{"deep":true}]}}"#),
          Lifted.entry(#"{"type":"B"}"#),
        ],
        states: [
          #"{"state":{"list":[{"v":1}],"when":{"$jsan":"d5"},"self":{"$jsan":"$.computedStates[0].state"}}}"#,
          #"{"state":{"list":{"$jsan":"$.computedStates[0].state.list"},"e":{"$jsan":"$.actionsById.1.action.p[\"q w\"][1]"},"x":{"$jsan":"$.gone"}}}"#,
          #"{"$jsan":"$.computedStates[1]"}"#,
        ]))
    #expect(
      try run.lines.dropLast() == [
        Self.jsanHeader
          + #""state":{"initial":{"list":[{"v":1}],"self":{"$jsan":"$.computedStates[0].state"},"when":{"$jsan":"d5"}}}}}"#,
        #"{"n":1,"t":0.000000,"action":{"type":"A","p":{"q w":[1,{"deep":true}]}},"states":{"state":{"e":{"deep":true},"list":[{"v":1}],"x":{"$jsan":"$.gone"}}},"x":{"id":1}}"#,
        #"{"n":2,"t":0.000000,"action":{"type":"B"},"x":{"id":2}}"#,
      ])
    #expect(
      try run.lost
        == #"[{"what":"cycles","count":1,"first":"$.computedStates[0].state.self"},"#
        + #"{"what":"references that lead nowhere","count":2,"first":"$.computedStates[1].state.x"}]"#
    )
  }

  @Test("A report counts each kind of loss, and --strict fails with it")
  func strict() throws {
    let text = Lifted.text(
      [Lifted.entry(#"{"k":1}"#), Lifted.entry("null")], states: [#"{"state":1,"odd":1}"#],
      more: #","committedState":5,"zoom":3"#
    ).replacing(#""monitorState":null"#, with: #""monitorState":{"tab":1}"#)
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "session.json")
    let run = try SubcommandRun(
      ImportSubcommand(file, to: nil, isStrict: true).subcommand, in: folder)
    #expect(run.code == 1)
    #expect(
      run.results == """
        2 steps imported from session.json to session.jsonl
          lost: other members of the session: 1, first at $.zoom
          lost: the state of the monitor: 1, first at $.monitorState
          lost: other members of a computed state: 1, first at $.computedStates[0].odd
          lost: a committed state that is not the first state: 1, first at $.committedState
          lost: actions without a type: 1, first at $.actionsById.1
          lost: actions that are not objects: 1, first at $.actionsById.2

        """)
    let again = try SubcommandRun(ImportSubcommand(file, to: nil).subcommand, in: folder)
    #expect(again.code == 3)
    #expect(
      again.diagnostics.hasSuffix("hint: -o names another log; --force replaces this one\n"))
    #expect(
      try SubcommandRun(
        ImportSubcommand(file, to: nil, replacesExisting: true).subcommand, in: folder
      ).code
        == 0)
  }
}
