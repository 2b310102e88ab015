import FluxInspector
import FluxLog
import FluxTerminal
import Testing

@testable import FluxScreen

/// Keys on small terminals, and the whole screens that they lead to.
@Suite struct SmallScreenTests {
  @Test("a small screen has one pane")
  func aSmallScreenHasOnePane() throws {
    #expect(
      try ScreenWalk.screen("", 40, 12) == #"""

        Notes start/8
        ─[Steps]─ Changes ─ State ──────────────
        >          start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語の…
          4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
          8 10.000 note/clear
        ? help  q leave  Tab pane  / search  b …

        """#)
  }

  @Test("steps on a small screen")
  func stepsOnASmallScreen() throws {
    #expect(
      try ScreenWalk.screen("Down Down Down", 40, 12) == #"""

        Notes 3/8 note/add +1.25s
        ─[Steps]─ Changes ─ State ──────────────
                   start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
        > 3  1.250 note/add {"title":"日本語の…
          4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
          8 10.000 note/clear
        ? help  q leave  Tab pane  / search  b …

        """#)
  }

  @Test("the changes on a small screen")
  func theChangesOnASmallScreen() throws {
    #expect(
      try ScreenWalk.screen("Down Down Down Tab", 40, 12) == #"""

        Notes 3/8 note/add +1.25s
        ─ Steps ─[Changes]─ State ──────────────
        3 note/add {"title":"日本語のタイトル …
          changed: notes
        from step 2 to step 3
        + /notes/items/1 (id 2): {"done":false,…





        ? help  q leave  Tab pane  / search  b …

        """#)
  }

  @Test("the state on a small screen")
  func theStateOnASmallScreen() throws {
    #expect(
      try ScreenWalk.screen("Down Down Down BackTab", 40, 12) == #"""

        Notes 3/8 note/add +1.25s
        ─ Steps ─ Changes ─[State]─ 1-9 of 11 ──
        >~- notes: {1}
         ~  - items: [2]
              - 0: {3}
                  done: false
                  id: 1
                  title: "milk"
         ~    - 1: {3}
                  done: false
                  id: 2
        ? help  q leave  Tab pane  / search  b …

        """#)
  }

  @Test("a search is typed in the last row")
  func aSearchIsTypedInTheLastRow() throws {
    #expect(
      try ScreenWalk.screen("/ search", 40, 12) == #"""

        Notes 7/8 search/open +5s
        ─[Steps]─ Changes ─ State ──────────────
                   start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語の…
          4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
        > 7  5.000 search/open
          8 10.000 note/clear
        /search  Enter stays here, Esc goes back

        """#)
  }

  @Test("a search goes to a match, and the last row names it")
  func aSearchGoesToAMatchAndTheLastRowNamesIt() throws {
    #expect(
      try ScreenWalk.screen("/ clear Enter", 40, 12) == #"""

        Notes 8/8 note/clear +10s
        ─[Steps]─ Changes ─ State ──────────────
                   start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語の…
          4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
        > 8 10.000 note/clear
        n next clear  ? help  q leave  Tab pane…

        """#)
  }

  @Test("a search without a match says so")
  func aSearchWithoutAMatchSaysSo() throws {
    #expect(
      try ScreenWalk.screen("/ clear Enter n", 40, 12) == #"""

        Notes 8/8 note/clear +10s
        ─[Steps]─ Changes ─ State ──────────────
                   start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語の…
          4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
        > 8 10.000 note/clear
        clear matches no step after this one

        """#)
  }

  @Test("a search for an expression")
  func aSearchForAnExpression() throws {
    #expect(
      try ScreenWalk.screen("/ length(notes.items)==2 Enter", 40, 12) == #"""

        Notes 3/8 note/add +1.25s
        ─[Steps]─ Changes ─ State ──────────────
                   start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
        > 3  1.250 note/add {"title":"日本語の…
          4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
          8 10.000 note/clear
        n next length(notes.items)==2  ? help  …

        """#)
  }

  @Test("a wrong expression is a message")
  func aWrongExpressionIsAMessage() throws {
    #expect(
      try ScreenWalk.screen("/ length( Enter", 40, 12) == #"""

        Notes start/8
        ─[Steps]─ Changes ─ State ──────────────
        >          start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語の…
          4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
          8 10.000 note/clear
        column 8: expected a path, a literal or…

        """#)
  }

  @Test("n without a search goes to the next stop point")
  func nWithoutASearchGoesToTheNextStopPoint() throws {
    #expect(
      try ScreenWalk.screen("Down b n n", 40, 12) == #"""

        Notes 4/8 note/add +2s
        ─[Steps]─ Changes ─ State ──────────────
                   start
         *1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
         *3  1.250 note/add {"title":"日本語の…
        >*4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
         *6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
          8 10.000 note/clear
        breakpoint 1: note/add

        """#)
  }

  @Test("the changes scroll sideways")
  func theChangesScrollSideways() throws {
    #expect(
      try ScreenWalk.screen(": 3 Enter Tab Right Right", 40, 12) == #"""

        Notes 3/8 note/add +1.25s
        ─ Steps ─[Changes]─ State ──────────────
        le":"日本語のタイトル 🎉"} +1.25s

        tep 3
         (id 2): {"done":false,"id":2,"title":"…





        ? help  q leave  Tab pane  / search  b …

        """#)
  }

  @Test("a wrong position is a message")
  func aWrongPositionIsAMessage() throws {
    #expect(
      try ScreenWalk.screen(": abc Enter", 40, 12) == #"""

        Notes start/8
        ─[Steps]─ Changes ─ State ──────────────
        >          start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語の…
          4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
          8 10.000 note/clear
        abc is not a position; a position is 42…

        """#)
  }

  @Test("without a stop point and a search, n says so")
  func withoutAStopPoint() throws {
    #expect(
      try ScreenWalk.screen("n", 80, 5) == #"""

        Notes start/8
        ─[Steps]─ Changes ─ State ──────────────────────────────────────────────────────
        >          start
          1  0.500 note/add {"title":"milk"}
        there is no stop point; b sets a breakpoint at actions of this type, and / sear…

        """#)
    var walk = try ScreenWalk(columns: 80, rows: 5)
    var session = walk.browser.session
    let point = try session.addStopPoint(.breakpoint(Glob("note/add")))
    _ = try session.setStopPoint(point.number, isEnabled: false)
    walk.browser = Browser(session, size: TerminalSize(columns: 80, rows: 5), .none)
    walk.press("n")
    #expect(
      walk.screen().split(separator: "\n").last
        == "all stop points are disabled; b sets a breakpoint at actions of this type, and …")
  }

  @Test("the end of the log")
  func theEndOfTheLog() throws {
    #expect(
      try ScreenWalk.screen("End", 40, 12) == #"""

        Notes 8/8 note/clear +10s
        ─[Steps]─ Changes ─ State ──────────────
                   start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語の…
          4  2.000 note/add rejected {"title":"…
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u…
          7  5.000 search/open
        > 8 10.000 note/clear
        the end of the log

        """#)
  }

  @Test("20 columns and 5 rows have a title, the panes' names, two rows and hints")
  func at20ColumnsAnd5RowsHaveATitleThePanesNamesTwoRowsAndHints() throws {
    #expect(
      try ScreenWalk.screen("Down Down Down", 20, 5) == #"""

        Notes 3/8 note/add …
        ─[Steps]─ Changes ─…
          2   note/saved {"…
        > 3 note/add {"titl…
        ? help  q leave  Ta…

        """#)
  }

  @Test("20 columns and 5 rows in the help")
  func at20ColumnsAnd5RowsInTheHelp() throws {
    #expect(
      try ScreenWalk.screen("? Down", 20, 5) == #"""

        Notes start/8
          previous or next
          step; scroll in
          the other panes
        Up Down scroll, oth…

        """#)
  }

  @Test("20 columns and 5 rows in a long search")
  func at20ColumnsAnd5RowsInALongSearch() throws {
    #expect(
      try ScreenWalk.screen("/ length(notes.items)==2", 20, 5) == #"""

        Notes 3/8 note/add …
        ─[Steps]─ Changes ─…
          2   note/saved {"…
        > 3 note/add {"titl…
        /th(notes.items)==2

        """#)
  }

  @Test("one row has content alone")
  func oneRowHasContentAlone() throws {
    #expect(
      try ScreenWalk.screen("Down", 30, 1) == #"""

        > 1  0.500 note/add {"title":…

        """#)
  }

  @Test("20 columns and 6 rows have a title, the panes' names, three rows and hints")
  func at20ColumnsAnd6Rows() throws {
    #expect(
      try ScreenWalk.screen("Down Down Down", 20, 6) == #"""

        Notes 3/8 note/add …
        ─[Steps]─ Changes ─…
          1 note/add {"titl…
          2   note/saved {"…
        > 3 note/add {"titl…
        ? help  q leave  Ta…

        """#)
  }

  @Test("20 columns and 6 rows in the state")
  func at20ColumnsAnd6RowsInTheState() throws {
    #expect(
      try ScreenWalk.screen("Down Down Down 3 G", 20, 6) == #"""

        Notes 3/8 note/add …
        ─ Steps ─ Changes ─…
                  id: 2
                  title: "…
        >   search: absent
        ? help  q leave  Ta…

        """#)
  }
}
