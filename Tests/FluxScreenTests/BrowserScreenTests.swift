import FluxTerminal
import Testing

@testable import FluxScreen

/// Keys, and the whole screens that they lead to.
@Suite struct BrowserScreenTests {
  @Test("the first screen has three panes")
  func theFirstScreenHasThreePanes() throws {
    #expect(
      try ScreenWalk.screen("", 80, 24) == #"""

        Notes start/8
        ─[Steps]────────────────────────┬─ Changes ─────────────────────────────────────
        >          start                │ 0 start: the state before the first step
          1  0.500 note/add {"title":"m…│
          2  1.000   note/saved {"id":1}│
          3  1.250 note/add {"title":"… │
          4  2.000 note/add rejected {"…│
          5  3.000 note/toggle {"id":2} │
          6  4.500 note/add {"title":"e…├─ State ───────────────────────────────────────
          7  5.000 search/open          │   - notes: {1}
          8 10.000 note/clear           │       items: []
                                        │     search: absent
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("a step shows its changes, and marks them in the state")
  func aStepShowsItsChangesAndMarksThemInTheState() throws {
    #expect(
      try ScreenWalk.screen("Down Down Down", 80, 24) == #"""

        Notes 3/8 note/add +1.25s
        ─[Steps]────────────────────────┬─ Changes ─────────────────────────────────────
                   start                │ 3 note/add {"title":"日本語のタイトル 🎉"} +1…
          1  0.500 note/add {"title":"m…│   changed: notes
          2  1.000   note/saved {"id":1}│ from step 2 to step 3
        > 3  1.250 note/add {"title":"… │ + /notes/items/1 (id 2): {"done":false,"id":2…
          4  2.000 note/add rejected {"…│
          5  3.000 note/toggle {"id":2} │
          6  4.500 note/add {"title":"e…├─ State ───────────────────────────────────────
          7  5.000 search/open          │  ~- notes: {1}
          8 10.000 note/clear           │  ~  - items: [2]
                                        │       - 0: {3}
                                        │           done: false
                                        │           id: 1
                                        │           title: "milk"
                                        │  ~    - 1: {3}
                                        │           done: false
                                        │           id: 2
                                        │           title: "日本語のタイトル 🎉"
                                        │     search: absent
                                        │
                                        │
                                        │
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("wide characters, marks and controls keep to their columns")
  func wideCharactersMarksAndControlsKeepToTheirColumns() throws {
    #expect(
      try ScreenWalk.screen("Down Down Down Down Down Down", 80, 24) == #"""

        Notes 6/8 note/add +4.5s
        ─[Steps]────────────────────────┬─ Changes ─────────────────────────────────────
                   start                │ 6 note/add {"title":"e\u0301\u202e\u001b[2J"}…
          1  0.500 note/add {"title":"m…│   changed: notes
          2  1.000   note/saved {"id":1}│ from step 5 to step 6
          3  1.250 note/add {"title":"… │ + /notes/items/2 (id 3): {"done":false,"id":3…
          4  2.000 note/add rejected {"…│
          5  3.000 note/toggle {"id":2} │
        > 6  4.500 note/add {"title":"e…├─ State  1-14 of 15 ───────────────────────────
          7  5.000 search/open          │  ~- notes: {1}
          8 10.000 note/clear           │  ~  - items: [3]
                                        │       - 0: {3}
                                        │           done: false
                                        │           id: 1
                                        │           title: "milk"
                                        │       - 1: {3}
                                        │           done: true
                                        │           id: 2
                                        │           title: "日本語のタイトル 🎉"
                                        │  ~    - 2: {3}
                                        │           done: false
                                        │           id: 3
                                        │           title: "é\u202e\u001b[2J"
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("a rejected step says why")
  func aRejectedStepSaysWhy() throws {
    #expect(
      try ScreenWalk.screen(": 4 Enter", 80, 24) == #"""

        Notes 4/8 note/add +2s
        ─[Steps]────────────────────────┬─ Changes ─────────────────────────────────────
                   start                │ 4 note/add {"title":""} +2s
          1  0.500 note/add {"title":"m…│   rejected by notes: invalid: a title is need…
          2  1.000   note/saved {"id":1}│ from step 3 to step 4: nothing differs
          3  1.250 note/add {"title":"… │
        > 4  2.000 note/add rejected {"…│
          5  3.000 note/toggle {"id":2} │
          6  4.500 note/add {"title":"e…├─ State ───────────────────────────────────────
          7  5.000 search/open          │   - notes: {1}
          8 10.000 note/clear           │     - items: [2]
                                        │       - 0: {3}
                                        │           done: false
                                        │           id: 1
                                        │           title: "milk"
                                        │       - 1: {3}
                                        │           done: false
                                        │           id: 2
                                        │           title: "日本語のタイトル 🎉"
                                        │     search: absent
                                        │
                                        │
                                        │
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("a breakpoint is marked at all its steps")
  func aBreakpointIsMarkedAtAllItsSteps() throws {
    #expect(
      try ScreenWalk.screen("Down b", 80, 24) == #"""

        Notes 1/8 note/add +0.5s
        ─[Steps]────────────────────────┬─ Changes ─────────────────────────────────────
                   start                │ 1 note/add {"title":"milk"} +0.5s
        >*1  0.500 note/add {"title":"m…│   changed: notes
          2  1.000   note/saved {"id":1}│ from step 0 to step 1
         *3  1.250 note/add {"title":"… │ + /notes/items/0 (id 1): {"done":false,"id":1…
         *4  2.000 note/add rejected {"…│
          5  3.000 note/toggle {"id":2} │
         *6  4.500 note/add {"title":"e…├─ State ───────────────────────────────────────
          7  5.000 search/open          │  ~- notes: {1}
          8 10.000 note/clear           │  ~  - items: [1]
                                        │  ~    - 0: {3}
                                        │           done: false
                                        │           id: 1
                                        │           title: "milk"
                                        │     search: absent
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
        breakpoint 1: note/add

        """#)
  }

  @Test("the state unfolds and folds")
  func theStateUnfoldsAndFolds() throws {
    #expect(
      try ScreenWalk.screen(": 5 Enter Tab Tab Home Down Down Enter Down Left", 80, 24) == #"""

        Notes 5/8 note/toggle +3s
        ─ Steps ────────────────────────┬─ Changes ─────────────────────────────────────
                   start                │ 5 note/toggle {"id":2} +3s
          1  0.500 note/add {"title":"m…│   changed: notes
          2  1.000   note/saved {"id":1}│ from step 4 to step 5
          3  1.250 note/add {"title":"… │ ~ /notes/items/1/done: false -> true
          4  2.000 note/add rejected {"…│
        > 5  3.000 note/toggle {"id":2} │
          6  4.500 note/add {"title":"e…├─[State]───────────────────────────────────────
          7  5.000 search/open          │  ~- notes: {1}
          8 10.000 note/clear           │  ~  - items: [2]
                                        │       + 0: {"done":false,"id":1,"title":"milk…
                                        │ >~    + 1: {"done":true,"id":2,"title":"日本…
                                        │     search: absent
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
                                        │
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("the changes become a patch, and scroll")
  func theChangesBecomeAPatchAndScroll() throws {
    #expect(
      try ScreenWalk.screen(": 5 Enter Tab d Down Down", 80, 24) == #"""

        Notes 5/8 note/toggle +3s
        ─ Steps ────────────────────────┬─[Changes]─────────────────────────────────────
                   start                │ 5 note/toggle {"id":2} +3s
          1  0.500 note/add {"title":"m…│   changed: notes
          2  1.000   note/saved {"id":1}│ [
          3  1.250 note/add {"title":"… │   {
          4  2.000 note/add rejected {"…│     "op": "replace",
        > 5  3.000 note/toggle {"id":2} │     "path": "/notes/items/1/done",
          6  4.500 note/add {"title":"e…│     "value": true
          7  5.000 search/open          │   }
          8 10.000 note/clear           │ ]
                                        ├─ State ───────────────────────────────────────
                                        │  ~- notes: {1}
                                        │  ~  - items: [2]
                                        │       - 0: {3}
                                        │           done: false
                                        │           id: 1
                                        │           title: "milk"
                                        │  ~    - 1: {3}
                                        │  ~        done: true
                                        │           id: 2
                                        │           title: "日本語のタイトル 🎉"
                                        │     search: absent
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("the help covers the panes")
  func theHelpCoversThePanes() throws {
    #expect(
      try ScreenWalk.screen("?", 80, 24) == #"""

        Notes start/8
        Up Down  k j              previous or next step; scroll in the other panes
        Left Right  h l           previous or next root action; sideways; fold, unfold
        PgUp PgDn  Ctrl-B Ctrl-F  a page of the pane; Space is a page forwards, too
        Ctrl-U Ctrl-D             half a page of the pane
        Home End  g G             the start or the end of the pane
        Tab Shift-Tab             the next or the previous pane
        1 2 3                     the steps, the changes, the state
        z                         the whole screen for this pane, or for all three
        [ ]                       previous or next step in any pane
        /                         search while you type: text, action type, expression
        n N                       next or previous match; without a search, stop point
        Esc                       end a search
        :                         go to a position: 42, 50%, @2.5, todo/add#3
        b                         set or delete a breakpoint at actions of this type
        c C                       next or previous stop point
        d                         changes by element, as a JSON Patch, or counted
        Enter Space               fold or unfold a value; Enter shows a step's changes
        Mouse                     click, or scroll with the wheel; Shift selects text
        ?                         this help
        q Ctrl-C                  leave


        any key closes the help

        """#)
  }

  @Test("one pane takes the whole screen")
  func onePaneTakesTheWholeScreen() throws {
    #expect(
      try ScreenWalk.screen(": 3 Enter 3 z", 80, 24) == #"""

        Notes 3/8 note/add +1.25s
        ─ Steps ─ Changes ─[State]──────────────────────────────────────────────────────
        >~- notes: {1}
         ~  - items: [2]
              - 0: {3}
                  done: false
                  id: 1
                  title: "milk"
         ~    - 1: {3}
                  done: false
                  id: 2
                  title: "日本語のタイトル 🎉"
            search: absent










        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("long changes take rows from the state")
  func longChangesTakeRowsFromTheState() throws {
    #expect(
      try ScreenWalk.screen(": 3 Enter d", 80, 24) == #"""

        Notes 3/8 note/add +1.25s
        ─[Steps]────────────────────────┬─ Changes ─────────────────────────────────────
                   start                │ 3 note/add {"title":"日本語のタイトル 🎉"} +1…
          1  0.500 note/add {"title":"m…│   changed: notes
          2  1.000   note/saved {"id":1}│ [
        > 3  1.250 note/add {"title":"… │   {
          4  2.000 note/add rejected {"…│     "op": "add",
          5  3.000 note/toggle {"id":2} │     "path": "/notes/items/1",
          6  4.500 note/add {"title":"e…│     "value": {
          7  5.000 search/open          │       "done": false,
          8 10.000 note/clear           │       "id": 2,
                                        │       "title": "日本語のタイトル 🎉"
                                        │     }
                                        │   }
                                        │ ]
                                        ├─ State  1-7 of 11 ────────────────────────────
                                        │  ~- notes: {1}
                                        │  ~  - items: [2]
                                        │       - 0: {3}
                                        │           done: false
                                        │           id: 1
                                        │           title: "milk"
                                        │  ~    - 1: {3}
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("a wide screen")
  func aWideScreen() throws {
    #expect(
      try ScreenWalk.screen(": 6 Enter", 120, 40) == #"""

        Notes 6/8 note/add +4.5s
        ─[Steps]────────────────────────────────────────┬─ Changes ─────────────────────────────────────────────────────────────
                   start                                │ 6 note/add {"title":"e\u0301\u202e\u001b[2J"} +4.5s
          1  0.500 note/add {"title":"milk"}            │   changed: notes
          2  1.000   note/saved {"id":1}                │ from step 5 to step 6
          3  1.250 note/add {"title":"日本語のタイトル …│ + /notes/items/2 (id 3): {"done":false,"id":3,"title":"é\u202e\u001b[…
          4  2.000 note/add rejected {"title":""}       │
          5  3.000 note/toggle {"id":2}                 │
        > 6  4.500 note/add {"title":"e\u0301\u202e\u00…│
          7  5.000 search/open                          │
          8 10.000 note/clear                           │
                                                        │
                                                        │
                                                        │
                                                        ├─ State ───────────────────────────────────────────────────────────────
                                                        │  ~- notes: {1}
                                                        │  ~  - items: [3]
                                                        │       - 0: {3}
                                                        │           done: false
                                                        │           id: 1
                                                        │           title: "milk"
                                                        │       - 1: {3}
                                                        │           done: true
                                                        │           id: 2
                                                        │           title: "日本語のタイトル 🎉"
                                                        │  ~    - 2: {3}
                                                        │           done: false
                                                        │           id: 3
                                                        │           title: "é\u202e\u001b[2J"
                                                        │     search: absent
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }
}
