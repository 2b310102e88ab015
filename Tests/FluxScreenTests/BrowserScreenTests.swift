import FluxTerminal
import Testing

@testable import FluxScreen

/// Keys, and the whole screens that they lead to.
@Suite struct BrowserScreenTests {
  private func screen(_ keys: String, _ columns: Int, _ rows: Int) throws -> String {
    var walk = try ScreenWalk(columns: columns, rows: rows)
    walk.press(keys)
    return "\n" + walk.screen() + "\n"
  }

  @Test("the first screen has three panes")
  func theFirstScreenHasThreePanes() throws {
    #expect(
      try screen("", 80, 24) == #"""

        Notes start/8
        [Steps]                         |  Changes
        >   start                       | 0 start: the state before the first step
          1 note/add {"title":"milk"}   |
          2   note/saved {"id":1}       |
          3 note/add {"title":"日本語の…|
          4 note/add rejected {"title":…|
          5 note/toggle {"id":2}        |
          6 note/add {"title":"e\u0301\…|
          7 search/open                 |
          8 note/clear                  |
                                        |
                                        |  State
                                        |   - notes: {1}
                                        |       items: []
                                        |     search: absent
                                        |
                                        |
                                        |
                                        |
                                        |
                                        |
                                        |
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("a step shows its changes, and marks them in the state")
  func aStepShowsItsChangesAndMarksThemInTheState() throws {
    #expect(
      try screen("Down Down Down", 80, 24) == #"""

        Notes 3/8 note/add +1.25s
        [Steps]                         |  Changes
            start                       | 3 note/add {"title":"日本語のタイトル 🎉"} +1…
          1 note/add {"title":"milk"}   |   changed: notes
          2   note/saved {"id":1}       | from step 2 to step 3
        > 3 note/add {"title":"日本語の…| + /notes/items/1 (id 2): {"done":false,"id":2…
          4 note/add rejected {"title":…|
          5 note/toggle {"id":2}        |
          6 note/add {"title":"e\u0301\…|
          7 search/open                 |
          8 note/clear                  |
                                        |
                                        |  State  1-10 of 11
                                        |  ~- notes: {1}
                                        |  ~  - items: [2]
                                        |       - 0: {3}
                                        |           done: false
                                        |           id: 1
                                        |           title: "milk"
                                        |  ~    - 1: {3}
                                        |           done: false
                                        |           id: 2
                                        |           title: "日本語のタイトル 🎉"
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("wide characters, marks and controls keep to their columns")
  func wideCharactersMarksAndControlsKeepToTheirColumns() throws {
    #expect(
      try screen("Down Down Down Down Down Down", 80, 24) == #"""

        Notes 6/8 note/add +4.5s
        [Steps]                         |  Changes
            start                       | 6 note/add {"title":"e\u0301\u202e\u001b[2J"}…
          1 note/add {"title":"milk"}   |   changed: notes
          2   note/saved {"id":1}       | from step 5 to step 6
          3 note/add {"title":"日本語の…| + /notes/items/2 (id 3): {"done":false,"id":3…
          4 note/add rejected {"title":…|
          5 note/toggle {"id":2}        |
        > 6 note/add {"title":"e\u0301\…|
          7 search/open                 |
          8 note/clear                  |
                                        |
                                        |  State  1-10 of 15
                                        |  ~- notes: {1}
                                        |  ~  - items: [3]
                                        |       - 0: {3}
                                        |           done: false
                                        |           id: 1
                                        |           title: "milk"
                                        |       - 1: {3}
                                        |           done: true
                                        |           id: 2
                                        |           title: "日本語のタイトル 🎉"
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("a rejected step says why")
  func aRejectedStepSaysWhy() throws {
    #expect(
      try screen(": 4 Enter", 80, 24) == #"""

        Notes 4/8 note/add +2s
        [Steps]                         |  Changes
            start                       | 4 note/add {"title":""} +2s
          1 note/add {"title":"milk"}   |   rejected by notes: invalid: a title is need…
          2   note/saved {"id":1}       | from step 3 to step 4: nothing differs
          3 note/add {"title":"日本語の…|
        > 4 note/add rejected {"title":…|
          5 note/toggle {"id":2}        |
          6 note/add {"title":"e\u0301\…|
          7 search/open                 |
          8 note/clear                  |
                                        |
                                        |  State  1-10 of 11
                                        |   - notes: {1}
                                        |     - items: [2]
                                        |       - 0: {3}
                                        |           done: false
                                        |           id: 1
                                        |           title: "milk"
                                        |       - 1: {3}
                                        |           done: false
                                        |           id: 2
                                        |           title: "日本語のタイトル 🎉"
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("a breakpoint is marked at all its steps")
  func aBreakpointIsMarkedAtAllItsSteps() throws {
    #expect(
      try screen("Down b", 80, 24) == #"""

        Notes 1/8 note/add +0.5s
        [Steps]                         |  Changes
            start                       | 1 note/add {"title":"milk"} +0.5s
        >*1 note/add {"title":"milk"}   |   changed: notes
          2   note/saved {"id":1}       | from step 0 to step 1
         *3 note/add {"title":"日本語の…| + /notes/items/0 (id 1): {"done":false,"id":1…
         *4 note/add rejected {"title":…|
          5 note/toggle {"id":2}        |
         *6 note/add {"title":"e\u0301\…|
          7 search/open                 |
          8 note/clear                  |
                                        |
                                        |  State
                                        |  ~- notes: {1}
                                        |  ~  - items: [1]
                                        |  ~    - 0: {3}
                                        |           done: false
                                        |           id: 1
                                        |           title: "milk"
                                        |     search: absent
                                        |
                                        |
                                        |
        breakpoint 1: note/add

        """#)
  }

  @Test("the state unfolds and folds")
  func theStateUnfoldsAndFolds() throws {
    #expect(
      try screen(": 5 Enter Tab Tab Home Down Down Enter Down Left", 80, 24) == #"""

        Notes 5/8 note/toggle +3s
         Steps                          |  Changes
            start                       | 5 note/toggle {"id":2} +3s
          1 note/add {"title":"milk"}   |   changed: notes
          2   note/saved {"id":1}       | from step 4 to step 5
          3 note/add {"title":"日本語の…| ~ /notes/items/1/done: false -> true
          4 note/add rejected {"title":…|
        > 5 note/toggle {"id":2}        |
          6 note/add {"title":"e\u0301\…|
          7 search/open                 |
          8 note/clear                  |
                                        |
                                        | [State]
                                        |  ~- notes: {1}
                                        |  ~  - items: [2]
                                        |       + 0: {"done":false,"id":1,"title":"milk…
                                        | >~    + 1: {"done":true,"id":2,"title":"日本…
                                        |     search: absent
                                        |
                                        |
                                        |
                                        |
                                        |
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("the changes become a patch, and scroll")
  func theChangesBecomeAPatchAndScroll() throws {
    #expect(
      try screen(": 5 Enter Tab d Down Down", 80, 24) == #"""

        Notes 5/8 note/toggle +3s
         Steps                          | [Changes]
            start                       | 5 note/toggle {"id":2} +3s
          1 note/add {"title":"milk"}   |   changed: notes
          2   note/saved {"id":1}       | [
          3 note/add {"title":"日本語の…|   {
          4 note/add rejected {"title":…|     "op": "replace",
        > 5 note/toggle {"id":2}        |     "path": "/notes/items/1/done",
          6 note/add {"title":"e\u0301\…|     "value": true
          7 search/open                 |   }
          8 note/clear                  | ]
                                        |
                                        |  State  1-10 of 11
                                        |  ~- notes: {1}
                                        |  ~  - items: [2]
                                        |       - 0: {3}
                                        |           done: false
                                        |           id: 1
                                        |           title: "milk"
                                        |  ~    - 1: {3}
                                        |  ~        done: true
                                        |           id: 2
                                        |           title: "日本語のタイトル 🎉"
        ? help  q leave  Tab pane  / search  b break  d form  n next stop

        """#)
  }

  @Test("the help covers the panes")
  func theHelpCoversThePanes() throws {
    #expect(
      try screen("?", 80, 24) == #"""

        Notes start/8
        Up Down     previous or next step; scroll in the other panes
        Left Right  previous or next root action; scroll sideways; fold and unfold a va…
        PgUp PgDn   a page of the pane
        Home End    the start or the end of the pane
        Tab         the next pane
        [ ]         previous or next step in any pane
        /           search for a type of action or an expression
        n N         next or previous match; without a search the next or previous stop …
        c C         next or previous stop point
        b           set or delete a breakpoint at actions of this type
        :           go to a position: 42, 50%, @2.5, todo/add#3
        d           changes by element, as a JSON Patch, or counted
        Enter       fold or unfold a value; from the steps to their changes
        Esc         end a search
        ?           this help
        q           leave






        any key closes the help

        """#)
  }
}
