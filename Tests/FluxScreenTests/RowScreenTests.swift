import Testing

@testable import FluxScreen

/// Screens with rows that are no steps.
@Suite struct RowScreenTests {
  private func screen(of recording: String, _ keys: String) throws -> String {
    var walk = try ScreenWalk(recording: recording, columns: 80, rows: 14)
    walk.press(keys)
    return "\n" + walk.screen() + "\n"
  }

  @Test("gaps are rows")
  func gaps() throws {
    #expect(
      try screen(of: "todomvc-gaps.jsonl", ": 11 Enter") == #"""

        TodoMVC 11/18 todo/add +0.005018s
        ─[Steps]────────────────────────┬─ Changes  1-7 of 12 ──────────────────────────
                      start             │ 11 todo/add {"title":"call the bank"} +0.0050…
           1 0.002954 todo/load         │   changed: todos
           2 0.004273   todo/loaded {"i…│ from step 6 to step 11
           3 0.004484 todo/add {"title"…│ ~ /todos/items/0/done (id 1): false -> true
           4 0.004821   todo/saved      │ ~ /todos/items/1/title (id 2): "buy eggs" -> …
           5 0.004875 todo/add {"title"…│ + /todos/items/2 (id 3): {"done":false,"id":3…
           6 0.004910   todo/saved      │ ~ /todos/nextID: 3 -> 4
          -- steps 7 to 10 are not in t…├─ State  3-5 of 30 ────────────────────────────
        > 11 0.005018 todo/add {"title"…│  ~  - items: [3]
          12 0.005049   todo/saved      │  ~    - 0: {3}
          13 0.005071 todo/toggle {"id"…│  ~        done: true
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("damaged lines are rows")
  func damage() throws {
    #expect(
      try screen(of: "todomvc-damaged.jsonl", ": 12 Enter") == #"""

        TodoMVC 12/50 todo/saved +0.007623s
        ─[Steps]───────────────────────────────┬─ Changes ──────────────────────────────
           3 0.006808 todo/add {"title":"buy m…│ the state of todos is unknown at step …
           4 0.007103   todo/saved             │
           5 0.007165 todo/add {"title":"buy e…│
           6 0.007227   todo/saved             ├─ State ────────────────────────────────
          -- mark shopping list complete       │     todos: unknown
           7 0.007283 todo/add {"title":"call …│
           8 0.007335   todo/saved             │
           9 0.007380 todo/toggle {"id":1}     │
          -- line 12 is damaged                │
          11 0.007538 todo/rename {"id":2,"tit…│
        > 12 0.007623   todo/saved             │
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("the action that crashed the app is a row after the last step")
  func inFlight() throws {
    #expect(
      try screen(of: "crash.jsonl", "End") == #"""

        crash.jsonl 3/3 basket/split +0.017822s
        ─[Steps]────────────────────────┬─ Changes ─────────────────────────────────────
                     start              │ 3 basket/split {"people":2} +0.017822s
          1 0.017241 basket/add {"_0":"…│   changed: basket
          2 0.017791 basket/add {"_0":"…│ from step 2 to step 3
        > 3 0.017822 basket/split {"peo…│ + /basket/share: 500
          -- in flight: step 4 basket/s…├─ State ───────────────────────────────────────
                                        │  ~- basket: {3}
                                        │     - items: [2]
                                        │         0: "tea"
                                        │         1: "cup"
                                        │  ~    share: 500
                                        │       total: 1000
        in flight: step 4 basket/split, begun, but not finished: {"people":0}

        """#)
  }

  @Test("marks are rows, also before the first step and after the last one")
  func marks() throws {
    let lines =
      [NotesLog.header, #"{"mark":"launched","t":0.1}"#] + NotesLog.steps[..<2] + [
        #"{"mark":"the user signs in","t":1.1}"#, NotesLog.steps[2], #"{"mark":"over","t":2}"#,
      ]
    #expect(
      try ScreenWalk.screen(of: lines, "End", 40, 10) == #"""

        Notes 3/3 note/add +1.25s
        ─[Steps]─ Changes ─ State ──────────────
                  start
          -- mark launched
          1 0.500 note/add {"title":"milk"}
          2 1.000   note/saved {"id":1}
          -- mark the user signs in
        > 3 1.250 note/add {"title":"日本語のタ…
          -- mark over
        the end of the log

        """#)
  }

  @Test("what follows the last step is shown with it, if it fits")
  func tail() throws {
    let lines = [NotesLog.header] + NotesLog.steps + [#"{"mark":"over","t":11}"#]
    #expect(
      try ScreenWalk.screen(of: lines, "End", 40, 8) == #"""

        Notes 8/8 note/clear +10s
        ─[Steps]─ Changes ─ State ──────────────
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
        > 8 10.000 note/clear
          -- mark over
        the end of the log

        """#)
    #expect(
      try ScreenWalk.screen(of: lines, "End", 30, 1) == #"""

        > 8 10.000 note/clear

        """#)
  }
}
