import FluxInspector
import FluxTerminal
import Testing

@testable import FluxScreen

/// Searches while their text is typed.
@Suite struct SearchScreenTests {
  @Test("the first match is shown while the text is typed")
  func finds() throws {
    #expect(
      try ScreenWalk.screen("/ cle", 60, 10) == #"""

        Notes 8/8 note/clear +10s
        ─[Steps]─ Changes ─ State ──────────────────────────────────
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語のタイトル 🎉"}
          4  2.000 note/add rejected {"title":""}
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u202e\u001b[2J"}
          7  5.000 search/open
        > 8 10.000 note/clear
        /cle                         Enter stays here, Esc goes back

        """#)
  }

  @Test("a text that no step has says so")
  func findsNothing() throws {
    #expect(
      try ScreenWalk.screen("Down / clex", 60, 10) == #"""

        Notes 1/8 note/add +0.5s
        ─[Steps]─ Changes ─ State ──────────────────────────────────
                   start
        > 1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語のタイトル 🎉"}
          4  2.000 note/add rejected {"title":""}
          5  3.000 note/toggle {"id":2}
          6  4.500 note/add {"title":"e\u0301\u202e\u001b[2J"}
        /clex                               no match after this step

        """#)
  }

  @Test("an expression that is not complete is no error yet")
  func isIncomplete() throws {
    #expect(
      try ScreenWalk.screen("/ length(", 60, 8) == #"""

        Notes start/8
        ─[Steps]─ Changes ─ State ──────────────────────────────────
        >          start
          1  0.500 note/add {"title":"milk"}
          2  1.000   note/saved {"id":1}
          3  1.250 note/add {"title":"日本語のタイトル 🎉"}
          4  2.000 note/add rejected {"title":""}
        /length(                                    not a search yet

        """#)
  }

  @Test("the error of an incomplete expression takes one row")
  func isTold() throws {
    var walk = try ScreenWalk()
    walk.press("/ length( Enter")
    #expect(
      walk.screen().split(separator: "\n").last
        == "column 8: expected a path, a literal or a function, found the end")
  }

  @Test(
    "Esc goes back to the step before the search, Enter stays, and the search is one move",
    arguments: [
      ("Down / c l e Esc", 1, [0]), ("Down / c l e Enter", 8, [1, 0]),
      ("Down / c l e Ctrl-U t o g g Enter", 5, [1, 0]), ("Down / c l e Backspace", 8, [0]),
      ("Down / z z z Enter", 1, [0]), ("/ T O G G", 5, []), ("/ \u{65e5}", 3, []),
      ("/ o p Enter Up", 6, [7, 0]),
    ] as [(String, UInt64, [UInt64])])
  func moves(_ keys: String, _ step: UInt64, _ before: [UInt64]) throws {
    var walk = try ScreenWalk()
    // Each key is shown before the next one, as when a user types.
    for key in keys.split(separator: " ") {
      walk.press(String(key))
      _ = walk.screen()
    }
    #expect(walk.step == step)
    walk.press("Esc")
    var session = walk.browser.session
    let undone = try before.map { _ in try session.undo().step.value }
    #expect(undone == before)
  }

  @Test("matches are underlined, in upper or lower case")
  func underlines() throws {
    var walk = try ScreenWalk(columns: 120, colors: .indexed)
    walk.press("/ MILK Enter Home")
    let frame = walk.browser.frame()
    let row = try #require(frame.lines.firstIndex { $0.contains("1  0.500 note/add") })
    let columns = (0..<48).filter {
      frame.cell(.init(row: row, column: $0)).style.isUnderlined
    }
    let text = columns.map { frame.cell(.init(row: row, column: $0)).text }.joined()
    #expect(text == "milk")
  }
}
