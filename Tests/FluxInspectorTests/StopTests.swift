import FluxLog
import TestFixtures
import Testing

@testable import FluxInspector

@Suite struct StopTests {
  @Test("Stop points are added with numbers from 1, and listed with what they stop at")
  func documents() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.json("break todo/*") == #"""
        {"command":"break todo/*","ok":true,"position":0,"result":{"number":1,"kind":"breakpoint"}}

        """#)
    #expect(
      try inspection.json("watch todos.items if length(todos.items) > 1") == #"""
        {"command":"watch todos.items if length(todos.items) > 1","ok":true,"position":0,"result":{"number":2,"kind":"watchpoint"}}

        """#)
    #expect(
      try inspection.json("catch rejected") == #"""
        {"command":"catch rejected","ok":true,"position":0,"result":{"number":3,"kind":"catchpoint"}}

        """#)
    #expect(
      try inspection.json("tbreak search/open") == #"""
        {"command":"tbreak search/open","ok":true,"position":0,"result":{"number":4,"kind":"breakpoint"}}

        """#)
    #expect(
      try inspection.json("disable 1") == #"""
        {"command":"disable 1","ok":true,"position":0,"result":{"number":1,"kind":"breakpoint"}}

        """#)
    #expect(
      try inspection.json("breakpoints") == #"""
        {"command":"breakpoints","ok":true,"position":0,"result":{"breakpoints":[{"number":1,"kind":"breakpoint","what":"todo/*","enabled":false,"temporary":false,"hits":0},{"number":2,"kind":"watchpoint","what":"todos.items","if":"length(todos.items) > 1","enabled":true,"temporary":false,"hits":0},{"number":3,"kind":"catchpoint","what":"rejected","enabled":true,"temporary":false,"hits":0},{"number":4,"kind":"breakpoint","what":"search/open","enabled":true,"temporary":true,"hits":0}]}}

        """#)
    #expect(inspection.stops(["continue", "continue", "continue"]) == [3, 4, 5])
    #expect(
      try inspection.text("breakpoints") == """
        1 breakpoint todo/*  disabled
        2 watchpoint todos.items if length(todos.items) > 1  reached 2 times
        3 catchpoint rejected  reached once
        4 temporary breakpoint search/open

        """)
    #expect(try inspection.text("delete 3") == "3 catchpoint rejected  deleted\n")
    #expect(try inspection.text("enable 1") == "1 breakpoint todo/*  enabled\n")
    #expect(
      try inspection.text("delete 3") == """
        error: no stop point 3
        hint: 'breakpoints' lists them

        """)
    #expect(try inspection.text("catch gap") == "5 catchpoint gap\n")
  }

  @Test("A move that ends at a stop point says which, and what a watched value was")
  func stops() throws {
    var inspection = try Inspection()
    _ = inspection.stops(["watch todos.items[1].done", "tbreak search/*", "break search/open"])
    #expect(
      try inspection.text("continue") == """
        watchpoint 1: todos.items[1].done
          old: nothing
          new: false
        3 todo/add {"title":"eggs"} +1.25s
          changed: todos

        """)
    #expect(
      try inspection.json("c") == #"""
        {"command":"c","ok":true,"position":5,"result":{"step":5,"t":3,"action":{"type":"todo/toggle","payload":{"id":2}},"changed":["todos"],"stopped":"watchpoint","number":1}}

        """#)
    #expect(
      try inspection.text("c") == """
        breakpoint 2: search/*, now deleted
        breakpoint 3: search/open
        6 search/open +4.5s
          changed: search

        """)
    #expect(
      try inspection.json("c") == #"""
        {"command":"c","ok":true,"position":8,"result":{"step":8,"t":10,"action":{"type":"todo/clear"},"changed":["todos","search"],"stopped":"watchpoint","number":1}}

        """#)
    #expect(
      try inspection.json("c") == #"""
        {"command":"c","ok":true,"position":8,"result":{"step":8,"t":10,"action":{"type":"todo/clear"},"changed":["todos","search"],"stopped":"end"}}

        """#)
  }

  @Test(
    "Every kind of stop point is met at the same steps in both directions",
    arguments: [
      ("break todo/*", [1, 2, 3, 4, 5, 8]),
      ("break todo/add", [1, 3, 4]),
      ("break todo/add if length(todos.items) > 1", [3, 4]),
      ("break *", [1, 2, 3, 4, 5, 6, 7, 8]),
      ("watch todos.items", [1, 3, 5, 8]),
      ("watch /todos/items/0", [1, 8]),
      ("watch todos.items[?@.done].id", [1, 3, 8]),
      ("watch search if search.query == 'mi'", [7]),
      ("watch search", [6, 7, 8]),
      ("catch rejected", [4]),
      ("catch gap", []),
    ] as [(String, [UInt64])])
  func directions(command: String, expected: [UInt64]) throws {
    var inspection = try Inspection()
    #expect(try inspection.exitCode(command) == 0)
    #expect(inspection.walk("continue") == expected)
    #expect(inspection.stops(["end"]) == [8])
    // Strictly before here: from beyond the last step each of them is met.
    let reversed = expected.reversed().drop { $0 == 8 }
    #expect(inspection.walk("reverse-continue") == Array(reversed))
  }

  @Test("A gap and damage are caught at the first step after them")
  func gaps() throws {
    var gap = try Inspection(TodoLog.withGap)
    #expect(try gap.exitCode("catch gap") == 0)
    #expect(gap.walk("continue") == [5])
    #expect(gap.walk("reverse-continue") == [5])
    var damage = try Inspection(TodoLog.withDamage)
    #expect(try damage.exitCode("catch gap") == 0)
    #expect(damage.walk("continue") == [4])
  }

  @Test("A catchpoint tells the gap, from wherever the move came")
  func gapNotes() throws {
    var inspection = try Inspection([
      #"{"flux":"1.1","stores":{"a":{"initial":0}}}"#,
      #"{"n":1,"t":1,"action":{"type":"x"},"states":{"a":1}}"#,
      #"{"n":2,"t":2,"action":{"type":"x"},"states":{"a":2}}"#,
      #"{"gap":{"from":3,"to":2,"why":"restored","step":1}}"#,
      #"{"n":3,"t":3,"action":{"type":"x"},"states":{"a":3}}"#,
      #"{"n":4,"t":4,"action":{"type":"x"},"states":{"a":4}}"#,
      #"{"n":5,"t":5,"action":{"type":"x"},"states":{"a":5}}"#,
    ])
    #expect(try inspection.exitCode("catch gap") == 0)
    let note = "note: the app went back to the model after step 1 before step 3: restored"
    for commands in [
      ["start", "continue"], ["goto 2", "continue"], ["goto 5", "reverse-continue"],
    ] {
      _ = inspection.stops([commands[0]])
      let text = try inspection.text(commands[1])
      #expect(text.split(separator: "\n").filter { $0 == note }.count == 1, "\(text)")
    }
  }

  @Test("Random stop points on random logs are met in reverse order on the way back")
  func random() throws {
    var random = SeededGenerator()
    for _ in 0..<20 {
      var inspection = try Inspection(RandomLog.lines(&random, steps: 40))
      let commands = [
        "break x/*", "break y if $.n > 20", "watch a", "watch b.items[0].n", "catch rejected",
        "watch b.items[?@.n > 1]", "catch gap",
      ].shuffled(using: &random).prefix(3)
      for command in commands { #expect(try inspection.exitCode(command) == 0) }
      let forwards = inspection.walk("continue")
      let end = inspection.session.stepNumber
      let backwards = inspection.walk("reverse-continue")
      #expect(
        backwards == forwards.filter { $0 != end }.reversed(),
        "\(commands), seed \(SeededGenerator.seed)")
    }
  }

  @Test("A type that no action has, and a path that leads nowhere, are remarked")
  func remarks() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("break todo/ad") == """
        1 breakpoint todo/ad
        note: no action of the log matches todo/ad; did you mean todo/add?

        """)
    #expect(
      try inspection.text("watch todos.itmes") == """
        2 watchpoint todos.itmes
        note: no path todos.itmes at step 0; did you mean todos.items?

        """)
  }

  @Test(
    "What is no stop point is a usage error",
    arguments: [
      "break", "break if $.n > 1", "break x if", "break x if (", "watch", "watch if x", "catch",
      "catch me", "delete", "delete x", "delete 0", "enable", "disable -1",
    ])
  func nonsense(command: String) throws {
    var inspection = try Inspection()
    #expect(try inspection.exitCode(command) == 2)
    #expect(inspection.session.stopPoints.breakpoints.isEmpty)
  }

  @Test("A part of the step can be watched, and a stop shows what it was at the step before")
  func watchStep() throws {
    var inspection = try Inspection()
    _ = try inspection.text("watch $.n > 3")
    #expect(
      try inspection.text("continue") == """
        watchpoint 1: $.n > 3
          old: false
          new: true
        4 todo/add {"title":""} +2s
          rejected by todos: invalid: a title is needed

        """)
    _ = try inspection.text("delete 1")
    _ = try inspection.text("watch $.rejected.reason")
    #expect(inspection.walk("continue") == [5])
    #expect(inspection.stops(["start"]) == [0])
    #expect(inspection.walk("continue") == [4, 5])
  }
}
