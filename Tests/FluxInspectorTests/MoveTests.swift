import FluxJSON
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct MoveTests {
  @Test("A step that removes a feature that was not there is told where a move ends at it")
  func removalOfAbsentFeature() throws {
    var inspection = try Inspection([
      #"{"flux":"1.0","stores":{"f":{"feature":true}}}"#,
      #"{"n":1,"t":1,"action":{"type":"x"},"removed":["f"]}"#,
    ])
    #expect(
      try inspection.json("goto 1") == """
        {"command":"goto 1","ok":true,"position":1,"result":{"step":1,"t":1,"action":{"type":"x"},"changed":["f"],"stopped":"goto"}}
        note: line 2, step 1, byte 45: the feature f is removed, but was not present

        """)
    #expect(try inspection.exitCode("state") == 0)
  }

  @Test("A step is written for people with its payload, its time, what it changed and its cause")
  func texts() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("step") == """
        1 todo/add {"title":"milk"} +0.5s
          changed: todos

        """)
    #expect(
      try inspection.text("step") == """
        2 todo/saved {"id":1} +1s
          changed: nothing
          caused by step 1, by the effect save

        """)
    #expect(
      try inspection.text("step 2") == """
        4 todo/add {"title":""} +2s
          rejected by todos: invalid: a title is needed

        """)
    #expect(
      try inspection.text("step 9") == """
        the end of the log
        8 todo/clear +10s
          changed: todos, search
        note: stopped at the end, after 4 of 9 steps

        """)
    #expect(
      try inspection.text("start") == """
        0 start: the state before the first step

        """)
  }

  @Test("A move is written for programs as the contract says")
  func documents() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.json("goto 3") == #"""
        {"command":"goto 3","ok":true,"position":3,"result":{"step":3,"t":1.25,"action":{"type":"todo/add","payload":{"title":"eggs"}},"changed":["todos"],"stopped":"goto"}}

        """#)
    #expect(
      try inspection.json("start") == #"""
        {"command":"start","ok":true,"position":0,"result":{"step":0,"changed":[],"stopped":"start"}}

        """#)
    #expect(
      try inspection.json("back") == #"""
        {"command":"back","ok":true,"position":0,"result":{"step":0,"changed":[],"stopped":"start"}}
        note: stopped at the start, after 0 of 1 steps

        """#)
    #expect(
      try inspection.json("goto 4") == #"""
        {"command":"goto 4","ok":true,"position":4,"result":{"step":4,"t":2,"action":{"type":"todo/add","payload":{"title":""}},"changed":[],"stopped":"goto","rejected":{"reason":"invalid","message":"a title is needed","store":"todos"}}}

        """#)
    #expect(
      try inspection.json("end") == #"""
        {"command":"end","ok":true,"position":8,"result":{"step":8,"t":10,"action":{"type":"todo/clear"},"changed":["todos","search"],"stopped":"end"}}

        """#)
    inspection.console.settings.format = .json
    let output = inspection.console.run("goto 0")
    var pretty = ""
    try OutputFormatName.json.format().write(
      try #require(output), to: ByteSink { pretty += String(decoding: $0, as: UTF8.self) },
      diagnostics: ByteSink { _ in })
    #expect(
      pretty == """
        {
          "command": "goto 0",
          "ok": true,
          "position": 0,
          "result": {
            "step": 0,
            "changed": [],
            "stopped": "goto"
          }
        }

        """)
  }

  @Test("Steps and root actions are counted, and cut off at the ends")
  func counts() throws {
    var inspection = try Inspection()
    #expect(
      inspection.stops(["s", "s 2", "back", "rs", "step 99", "back 99"]) == [1, 3, 2, 1, 8, 0])
    #expect(
      inspection.stops(["n", "n", "n 3", "n", "n", "rn", "rn 2", "prev 99"])
        == [1, 3, 6, 8, 8, 6, 4, 0])
    #expect(
      try inspection.json("next 9") == #"""
        {"command":"next 9","ok":true,"position":8,"result":{"step":8,"t":10,"action":{"type":"todo/clear"},"changed":["todos","search"],"stopped":"end"}}
        note: stopped at the end, after 6 of 9 root actions

        """#)
    #expect(
      try inspection.text("prev 99999999999999999999").hasSuffix(
        "note: stopped at the start, after 5 root actions\n"))
  }

  @Test("The history of moves is walked in both directions, and a new move forgets what was undone")
  func history() throws {
    var inspection = try Inspection()
    #expect(
      inspection.stops(["goto 5", "goto 5", "next", "undo", "undo", "redo", "redo", "undo"])
        == [5, 5, 6, 5, 0, 5, 6, 5])
    #expect(inspection.stops(["goto 2", "undo", "redo"]) == [2, 5, 2])
    #expect(
      try inspection.text("redo") == """
        error: there is no undone move to repeat

        """)
    #expect(try inspection.exitCode("redo") == 3)
  }

  @Test("A move onto a damaged or out of a hidden place says what is missing")
  func missing() throws {
    var inspection = try Inspection(TodoLog.withGap)
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("step") == """
        5 todo/toggle {"id":2} +3s
          changed: todos
        note: steps 3 to 4 are not in the log: paused

        """)
    #expect(
      try inspection.text("back") == """
        2 todo/saved {"id":1} +1s
          changed: nothing
          caused by step 1, by the effect save
        note: steps 3 to 4 are not in the log: paused

        """)
    var damaged = try Inspection(TodoLog.withDamage)
    #expect(damaged.stops(["goto 2"]) == [2])
    #expect(
      try damaged.text("step") == """
        4 todo/add {"title":""} +2s
          rejected by todos: invalid: a title is needed
        note: lines before step 4 are damaged and left out

        """)
  }

  @Test("Damage right before a gap is reported too, although the states come from the gap")
  func damageBeforeGap() throws {
    var lines = TodoLog.withGap
    lines[3...3] = [#"{"n":3,"t":1.25,"#, #"{"gap":{"from":4,"to":4,"why":"paused"}}"#]
    var inspection = try Inspection(lines)
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("step") == """
        5 todo/toggle {"id":2} +3s
          changed: todos
        note: step 4 is not in the log: paused
        note: lines before step 5 are damaged and left out

        """)
    #expect(
      try inspection.text("list 2..5") == """
          2 todo/saved {"id":1} +1s  caused by 1
          -- damaged lines are left out
          -- step 4 is not in the log: paused
        > 5 todo/toggle {"id":2} +3s  todos

        """)
  }

  @Test("Moves wait for the index, and an interruption leaves the session where it is")
  func interruption() throws {
    var inspection = try Inspection(services: .interrupted)
    #expect(
      try inspection.text("next") == """
        error: interrupted

        """)
    #expect(try inspection.exitCode("next") == 130)
    #expect(inspection.session.stepNumber == 0)
  }

  @Test("An empty line repeats a navigation directly after it, and nothing else")
  func repetition() throws {
    var inspection = try Inspection()
    #expect(inspection.console.repeatNavigation() == nil)
    #expect(inspection.stops(["step 2"]) == [2])
    #expect(inspection.console.repeatNavigation()?.position == 4)
    #expect(inspection.stops(["", "   ", "# nothing"]) == [nil, nil, nil])
    #expect(inspection.console.repeatNavigation()?.position == 6)
    for between in ["state", "print nothing", "bogus", "goto 99"] {
      #expect(inspection.stops(["goto 2", between]) == [2, 2])
      #expect(inspection.console.repeatNavigation() == nil, "after \(between)")
    }
  }
}

extension Services {
  /// A user who presses the key at once.
  static var interrupted: Services {
    var services = Services()
    services.isInterrupted = { true }
    return services
  }
}
