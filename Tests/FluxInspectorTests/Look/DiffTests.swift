import Testing

@testable import FluxInspector

@Suite struct DiffTests {
  @Test("Without a position, it is what the step changed")
  func step() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 5"]) == [5])
    #expect(
      try inspection.text("diff") == """
        from step 4 to step 5
        ~ /todos/items/1/done: false -> true

        """)
    #expect(
      try inspection.json("diff") == """
        {"command":"diff","ok":true,"position":5,"result":{"from":4,"to":5,"changes":[{"path":"/todos/items/1/done","op":"replace","old":false,"new":true}]}}

        """)
    #expect(inspection.stops(["goto 4"]) == [4])
    #expect(
      try inspection.text("diff") == """
        from step 3 to step 4: nothing differs

        """)
    #expect(inspection.stops(["goto 8"]) == [8])
    #expect(
      try inspection.text("diff") == """
        from step 7 to step 8
        - /todos/items/0: {"done":false,"id":1,"title":"milk"}
        - /todos/items/0: {"done":true,"id":2,"title":"eggs"}
        - /search: {"query":"mi"}

        """)
    #expect(
      try inspection.json("diff") == """
        {"command":"diff","ok":true,"position":8,"result":{"from":7,"to":8,"changes":[{"path":"/todos/items/0","op":"remove","old":{"done":false,"id":1,"title":"milk"}},{"path":"/todos/items/0","op":"remove","old":{"done":true,"id":2,"title":"eggs"}},{"path":"/search","op":"remove","old":{"query":"mi"}}]}}

        """)
    #expect(inspection.stops(["start"]) == [0])
    #expect(
      try inspection.text("diff") == """
        error: there is no step here: this is the state before the first
        hint: 'step' goes to it

        """)
  }

  @Test("With positions, it is what differs between them, in both directions")
  func positions() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 7"]) == [7])
    #expect(
      try inspection.text("diff 3") == """
        from step 3 to step 7
        + /search: {"query":"mi"}
        ~ /todos/items/1/done: false -> true

        """)
    #expect(
      try inspection.json("diff 3") == """
        {"command":"diff 3","ok":true,"position":7,"result":{"from":3,"to":7,"changes":[{"path":"/search","op":"add","new":{"query":"mi"}},{"path":"/todos/items/1/done","op":"replace","old":false,"new":true}]}}

        """)
    #expect(
      try inspection.text("diff 8 7") == """
        from step 8 to step 7
        + /search: {"query":"mi"}
        + /todos/items/0: {"done":false,"id":1,"title":"milk"}
        + /todos/items/1: {"done":true,"id":2,"title":"eggs"}

        """)
    #expect(
      try inspection.text("diff start -2") == """
        from step 0 to step 5
        + /todos/items/0: {"done":false,"id":1,"title":"milk"}
        + /todos/items/1: {"done":true,"id":2,"title":"eggs"}

        """)
    #expect(
      try inspection.text("diff 5 5") == """
        from step 5 to step 5: nothing differs

        """)
    #expect(
      try inspection.json("diff 2 2") == """
        {"command":"diff 2 2","ok":true,"position":7,"result":{"from":2,"to":2,"changes":[]}}

        """)
    #expect(
      try inspection.text("diff 1 9") == """
        error: there is no step 9; the log has steps 1 to 8

        """)
  }

  @Test("One store, a patch, or only the numbers of changes can be asked for")
  func options() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 8"]) == [8])
    #expect(
      try inspection.text("diff --store search") == """
        from step 7 to step 8
        - /search: {"query":"mi"}

        """)
    #expect(
      try inspection.json("diff --store search") == """
        {"command":"diff --store search","ok":true,"position":8,"result":{"from":7,"to":8,"changes":[{"path":"/search","op":"remove","old":{"query":"mi"}}]}}

        """)
    #expect(
      try inspection.text("diff 1 5 --patch") == """
        [
          {
            "op": "add",
            "path": "/todos/items/1",
            "value": {
              "done": true,
              "id": 2,
              "title": "eggs"
            }
          }
        ]

        """)
    #expect(
      try inspection.json("diff 1 5 --patch") == """
        {"command":"diff 1 5 --patch","ok":true,"position":8,"result":{"from":1,"to":5,"patch":[{"op":"add","path":"/todos/items/1","value":{"done":true,"id":2,"title":"eggs"}}]}}

        """)
    #expect(
      try inspection.text("diff 3 8 --stat") == """
        from step 3 to step 8
        todos -2

        """)
    #expect(
      try inspection.json("diff 3 8 --stat") == """
        {"command":"diff 3 8 --stat","ok":true,"position":8,"result":{"from":3,"to":8,"stores":[{"store":"todos","added":0,"removed":2,"replaced":0}]}}

        """)
    #expect(
      try inspection.text("diff --store sarch") == """
        error: no store sarch; did you mean search?
        hint: the stores are search, todos

        """)
    #expect(
      try inspection.text("diff --stat --patch") == """
        error: diff: --patch and --stat exclude each other
        hint: usage: diff [A] [B] [--store S] [--patch|--stat]

        """)
  }

  @Test("After a gap and after damage, it is said against what was last known")
  func hidden() throws {
    var inspection = try Inspection(TodoLog.withGap)
    #expect(inspection.stops(["goto 5"]) == [5])
    #expect(
      try inspection.text("diff") == """
        from step 2 to step 5
        ~ /todos/items/0/done: false -> true

        """)
    #expect(
      try inspection.json("diff") == """
        {"command":"diff","ok":true,"position":5,"result":{"from":2,"to":5,"afterGap":true,"changes":[{"path":"/todos/items/0/done","op":"replace","old":false,"new":true}]}}

        """)
    // A patch has nothing to apply to after a gap.
    var patched = try Inspection([
      #"{"flux":"1.0","stores":{"a":{"initial":{"v":0}}}}"#,
      #"{"n":1,"t":1,"action":{"type":"x"},"states":{"a":{"v":1}}}"#,
      #"{"gap":{"from":2,"to":3,"why":"paused"}}"#,
      #"{"n":4,"t":4,"action":{"type":"x"},"patches":{"a":[{"op":"replace","path":"/v","value":9}]}}"#,
    ])
    #expect(patched.stops(["goto 4"]) == [4])
    #expect(
      try patched.json("diff") == """
        {"command":"diff","ok":false,"position":4,"error":{"code":"unknown-state","message":"the state of a is unknown at step 4: lines before it are missing","hint":"it is known again when it is next written whole: try 'step', or go back"}}

        """)
    var damage = try Inspection(TodoLog.withDamage)
    #expect(damage.stops(["goto 8"]) == [8])
    #expect(
      try damage.json("diff") == """
        {"command":"diff","ok":true,"position":8,"result":{"from":7,"to":8,"afterGap":true,"changes":[{"path":"/todos/items/0","op":"remove","old":{"done":false,"id":1,"title":"milk"}},{"path":"/search","op":"remove","old":{"query":"mi"}}]}}

        """)
    #expect(damage.stops(["goto 5"]) == [5])
    #expect(
      try damage.text("diff") == """
        error: the state of todos is unknown at step 5: lines before it are damaged
        hint: it is known again when it is next written whole: try 'step', or go back

        """)
    #expect(
      try damage.json("diff") == """
        {"command":"diff","ok":false,"position":5,"error":{"code":"unknown-state","message":"the state of todos is unknown at step 5: lines before it are damaged","hint":"it is known again when it is next written whole: try 'step', or go back"}}

        """)
    #expect(try damage.exitCode("diff") == 4)
    #expect(
      try damage.text("diff 2 8") == """
        from step 2 to step 8
        - /todos/items/0: {"done":false,"id":1,"title":"milk"}

        """)
    #expect(
      try damage.text("diff 2 4") == """
        error: the state of search, todos is unknown at step 4: lines before it are damaged
        hint: it is known again when it is next written whole: try 'step', or go back

        """)
  }
}
