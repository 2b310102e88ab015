import FluxInspector
import FluxTerminal
import TestFixtures
import Testing

@testable import FluxScreen

@Suite struct BrowserTests {
  @Test("colors are those of the session, and the row with the keys is reversed")
  func colors() throws {
    var walk = try ScreenWalk(colors: .sixteen)
    walk.press("Down")
    let frame = walk.browser.frame()
    func style(_ row: Int, _ column: Int) -> CellStyle {
      frame.cell(Frame.Place(row: row, column: column)).style
    }
    #expect(style(0, 40) == .reversed)
    #expect(style(3, 5) == .reversed)
    #expect(style(4, 13) == CellStyle(.cyan))
    #expect(style(2, 34) == CellStyle(.yellow))
    #expect(style(5, 34) == CellStyle(.green))
    #expect(frame.lines == (try plain("Down")))
  }

  private func plain(_ keys: String) throws -> [String] {
    var walk = try ScreenWalk()
    walk.press(keys)
    let frame = walk.browser.frame()
    let cells = (0..<24).flatMap { row in
      (0..<80).map { frame.cell(Frame.Place(row: row, column: $0)) }
    }
    #expect(cells.allSatisfy { $0.style == .plain })
    return frame.lines
  }

  @Test("of a long log only the steps in the window are read")
  func readsTheWindow() throws {
    var walk = try ScreenWalk(NotesLog.long(10_000), rows: 20)
    walk.press("End")
    #expect(walk.screen().contains("> 10000 tock"))
    #expect(walk.browser.rows.count == 17)
    #expect(walk.browser.rows.keys.min() == 9984)
    walk.press(": 50% Enter")
    #expect(walk.screen().contains(">  5000 tock"))
    #expect(walk.browser.rows.count == 34)
    for _ in 0..<100 {
      walk.press("PgDn")
      _ = walk.screen()
    }
    #expect(walk.step == 6600)
    #expect(walk.browser.rows.count <= 17 * 17)
  }

  @Test("keys that come faster than frames read nothing between them")
  func skipsFrames() throws {
    var walk = try ScreenWalk(NotesLog.long(1000))
    for _ in 0..<500 { walk.press("Down") }
    #expect(walk.browser.rows.isEmpty)
    #expect(walk.screen().contains(">  500  500.000 tick"))
    #expect(walk.browser.rows.count == 21)
  }

  @Test("each step is a move that undo takes back")
  func undoes() throws {
    var walk = try ScreenWalk()
    walk.press("Down Down Right ] [ End")
    #expect(walk.step == 8)
    var session = walk.browser.session
    let steps = try (0..<6).map { _ in try session.undo().step.value }
    #expect(steps == [3, 4, 3, 2, 1, 0])
  }

  @Test(
    "keys lead to steps",
    arguments: [
      ("j j k", 1), ("l l l", 4), ("Right Right Left", 1), ("End Home", 0), ("G g", 0),
      ("PgDn", 8), ("End PgUp", 0), ("Ctrl-F", 8), ("End Ctrl-B", 0), ("Ctrl-D", 8),
      ("End Ctrl-U", 0),
      ("2 ]", 1), ("3 ] ] 1 j", 3), ("z j", 1), ("Tab ]", 1), ("Tab Tab ] ] [", 1),
      (": 50% Enter", 4),
      (": @1.1 Enter", 2), (": note/add#3 Enter", 4), (": 99 Enter", 0),
      ("/ add Enter n n", 4), ("/ add Enter n N", 1), ("/ note/* Enter n", 2),
      ("/ ad Backspace Backspace Backspace Down", 1),
      ("/ add Enter Esc : 5 Enter b Home n", 5), (": 7 Enter b C", 0), (": 2 Enter b End C", 2),
      ("c", 0), ("N", 0), ("/ search Esc Down", 1), ("? q Down", 1), ("/ q Enter", 0),
      ("Ctrl-C Down", 1),
      ("b", 0), ("Down b b c", 1), ("Down b End c", 8),
    ])
  func steps(_ keys: String, _ step: UInt64) throws {
    var walk = try ScreenWalk()
    walk.press(keys)
    #expect(walk.step == step)
  }

  @Test("q and Ctrl-C leave, but not from the help or while a text is typed")
  func leaves() throws {
    func leaves(_ keys: String) throws -> Bool {
      var walk = try ScreenWalk()
      walk.press(keys)
      return walk.hasLeft
    }
    for keys in ["q", "Ctrl-C", "Tab q", "? Esc q", "/ Ctrl-C q"] {
      #expect(try leaves(keys), "\(keys)")
    }
    for keys in ["? q", "/ q", ": q", "Esc", "? Ctrl-C", "/ Ctrl-C"] {
      #expect(try !leaves(keys), "\(keys)")
    }
  }

  @Test("damaged lines and unknown states are messages in their panes")
  func damage() throws {
    var lines = NotesLog.lines
    lines[5] = #"{"n":5,"t":3"#
    var walk = try ScreenWalk(lines)
    walk.press(": 6 Enter")
    let screen = walk.screen()
    #expect(screen.contains("notes: unknown"))
    #expect(screen.contains("> 6  4.500 note/add"))
  }

  @Test("every size has a frame of that size after any keys")
  func anySize() throws {
    var random = SeededGenerator()
    let keys: [BrowseKey] = [
      .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .tab, .backTab, .enter, .escape,
      .backspace, .character("/"), .character("a"), .character(":"), .character("5"),
      .character("d"), .character("b"), .character("?"), .character("n"), .character("日"),
      .character("]"), .character(" "),
    ]
    for lines in [NotesLog.lines, [NotesLog.header], NotesLog.long(100)] {
      var walk = try ScreenWalk(lines)
      for _ in 0..<300 {
        let size = TerminalSize(
          columns: .random(in: 1...100, using: &random), rows: .random(in: 1...40, using: &random))
        walk.browser.resize(size)
        for _ in 0..<3 { _ = walk.browser.press(keys.randomElement(using: &random) ?? .up) }
        let frame = walk.browser.frame()
        #expect(frame.size == size)
        #expect(frame.lines.allSatisfy { ColumnWidth.of($0) <= size.columns })
      }
    }
  }
}
