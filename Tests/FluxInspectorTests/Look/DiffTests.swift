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
        - /todos/items/0 (id 1): {"done":false,"id":1,"title":"milk"}
        - /todos/items/1 (id 2): {"done":true,"id":2,"title":"eggs"}
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

  /// A recording of a list whose items have identities, and of a text.
  private func list() throws -> Inspection {
    let reversed = (0..<100).reversed().map { "{\"id\":\($0)}" }.joined(separator: ",")
    let ascending = (0..<100).map { "{\"id\":\($0)}" }.joined(separator: ",")
    let text = "The quick brown fox jumps over the lazy dog, and runs away."
    return try Inspection([
      #"{"flux":"1.0","stores":{"l":{"initial":{"items":[{"id":1,"n":1},{"id":2},{"id":3}]}},"t":{"initial":{"text":"\#(text)"}}}}"#,
      #"{"n":1,"t":0,"action":{"type":"move"},"states":{"l":{"items":[{"id":3},{"id":1,"n":2},{"id":4}]}}}"#,
      #"{"n":2,"t":0,"action":{"type":"type"},"states":{"t":{"text":"\#(text.replacing("brown", with: "red"))"}}}"#,
      #"{"n":3,"t":0,"action":{"type":"fill"},"states":{"l":{"items":[\#(ascending)]}}}"#,
      #"{"n":4,"t":0,"action":{"type":"reverse"},"states":{"l":{"items":[\#(reversed)]}}}"#,
    ])
  }

  @Test("Elements are told by their identity: moved, changed, added, removed")
  func identity() throws {
    var inspection = try list()
    #expect(inspection.stops(["goto 1"]) == [1])
    #expect(
      try inspection.text("diff") == """
        from step 0 to step 1
        > /l/items/0 (id 3): moved from 2
        ~ /l/items/1/n (id 1): 1 -> 2
        + /l/items/2 (id 4): {"id":4}
        - /l/items/1 (id 2): {"id":2}

        """)
    let json = try inspection.json("diff --identity")
    #expect(
      json.hasSuffix(
        #"""
        "elements":[{"path":"/l/items","key":3,"kind":"moved","from":2,"to":0,"changes":[]},\#
        {"path":"/l/items","key":1,"kind":"changed","from":0,"to":1,"changes":[{"path":"/l/items/1/n","op":"replace","old":1,"new":2}]},\#
        {"path":"/l/items","key":4,"kind":"added","to":2,"changes":[]},\#
        {"path":"/l/items","key":2,"kind":"removed","from":1,"changes":[]}]}}

        """#),
      "\(json)")
  }

  @Test("A path with a filter follows its element when it moves")
  func moved() throws {
    var inspection = try list()
    #expect(try inspection.text("count changed(l.items[?@.id==3]) in 1..2") == "0\n")
    #expect(try inspection.text("count changed(l.items[?@.id==1]) in 1..2") == "1\n")
    #expect(
      try inspection.text("history l.items[?@.id==1].n") == """
        0 initial = [1]
        1 move = [2]
        3 fill removed

        """)
  }

  @Test("A change of a long text is shown within it, and a list in reverse order takes one line")
  func summaries() throws {
    var inspection = try list()
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("diff") == """
        from step 1 to step 2
        ~ /t/text: "The quick [-brown-]{+red+} fox jumps over the …"

        """)
    #expect(inspection.stops(["goto 4"]) == [4])
    #expect(
      try inspection.text("diff") == """
        from step 3 to step 4
        > /l/items: 100 elements in reverse order

        """)
  }

  @Test("Another member can identify the elements")
  func keys() throws {
    var inspection = try Inspection([
      #"{"flux":"1.0","stores":{"l":{"initial":{"items":[{"key":"a"},{"key":"b"}]}}}}"#,
      #"{"n":1,"t":0,"action":{"type":"move"},"states":{"l":{"items":[{"key":"b"},{"key":"a"}]}}}"#,
    ])
    #expect(inspection.stops(["goto 1"]) == [1])
    #expect(try inspection.exitCode("set identity l.items=key") == 0)
    #expect(
      try inspection.text("diff") == """
        from step 0 to step 1
        > /l/items/0 (key "b"): swapped with 1 (key "a")

        """)
    #expect(
      try inspection.text("show identity")
        == "identity /l/items=key  the members that identify elements of arrays in diff: PATH=MEMBER, or none\n"
    )
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
        + /todos/items/0 (id 1): {"done":false,"id":1,"title":"milk"}
        + /todos/items/1 (id 2): {"done":true,"id":2,"title":"eggs"}

        """)
    #expect(
      try inspection.text("diff start -2") == """
        from step 0 to step 5
        + /todos/items/0 (id 1): {"done":false,"id":1,"title":"milk"}
        + /todos/items/1 (id 2): {"done":true,"id":2,"title":"eggs"}

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
        error: diff: --patch, --stat and --identity exclude each other
        hint: usage: diff [A] [B] [--store S] [--patch|--stat|--identity]

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
        {"command":"diff","ok":false,"position":4,"error":{"code":"unknown-state","message":"the state of a is unknown at step 4: lines before it are missing","hint":"a state is known again when its store is next written whole: try 'step', or go back"}}

        """)
    // After a gap that hides nothing, a patch does not apply.
    var unfit = try Inspection([
      #"{"flux":"1.0","stores":{"a":{"initial":{"v":0}}}}"#,
      #"{"gap":{"from":1,"to":3,"why":"paused"}}"#,
      #"{"n":4,"t":4,"action":{"type":"x"},"states":{"a":{"v":1}}}"#,
      #"{"n":5,"t":5,"action":{"type":"x"},"patches":{"a":[{"op":"remove","path":"/w"}]}}"#,
    ])
    #expect(unfit.stops(["goto 5"]) == [5])
    #expect(
      try unfit.text("state a") == """
        error: the state of a is unknown at step 5: line 4, step 5, byte 50: the patch for the store a does not apply: operation 0 (remove "/w"): the document has no member "w" (pointer "/w")
        hint: a state is known again when its store is next written whole: try 'step', or go back

        """)
    #expect(try unfit.exitCode("state a") == 4)
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
        hint: a state is known again when its store is next written whole: try 'step', or go back

        """)
    #expect(
      try damage.json("diff") == """
        {"command":"diff","ok":false,"position":5,"error":{"code":"unknown-state","message":"the state of todos is unknown at step 5: lines before it are damaged","hint":"a state is known again when its store is next written whole: try 'step', or go back"}}

        """)
    #expect(try damage.exitCode("diff") == 4)
    #expect(
      try damage.text("diff 2 8") == """
        from step 2 to step 8
        - /todos/items/0 (id 1): {"done":false,"id":1,"title":"milk"}

        """)
    #expect(
      try damage.text("diff 2 4") == """
        error: the states of search, todos are unknown at step 4: lines before it are damaged
        hint: a state is known again when its store is next written whole: try 'step', or go back

        """)
  }
}
