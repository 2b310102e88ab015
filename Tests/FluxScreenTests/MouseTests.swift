import FluxLog
import FluxTerminal
import Testing

@testable import FluxScreen

@Suite struct MouseTests {
  /// Presses keys, then clicks, and shows the screen before each click.
  private func click(
    _ places: [(row: Int, column: Int)], after keys: String = "", _ columns: Int = 80,
    _ rows: Int = 24
  ) throws -> ScreenWalk {
    var walk = try ScreenWalk(columns: columns, rows: rows)
    walk.press(keys)
    for (row, column) in places {
      _ = walk.screen()
      _ = walk.browser.press(.click(.init(row: row, column: column)))
    }
    return walk
  }

  @Test(
    "a click on a step goes there",
    arguments: [(2, 0), (3, 1), (5, 3), (10, 8), (11, 0), (1, 0), (0, 0), (23, 0)])
  func steps(_ row: Int, _ step: UInt64) throws {
    #expect(try click([(row, 10)]).step == step)
  }

  @Test("a click on a value selects it, and another one folds or unfolds it")
  func values() throws {
    var walk = try click([(10, 50)], after: ": 3 Enter")
    #expect(walk.screen().contains(" >~  - items: [2]"))
    walk = try click([(10, 50), (10, 50)], after: ": 3 Enter")
    #expect(walk.screen().contains(" >~  + items: [{"))
    walk = try click([(10, 50), (10, 50), (10, 50)], after: ": 3 Enter")
    #expect(walk.screen().contains(" >~  - items: [2]"))
  }

  @Test("a click on the name of a pane shows it on a small screen")
  func tabs() throws {
    var walk = try click([(1, 12)], after: ": 3 Enter", 40, 12)
    #expect(walk.screen().contains("─[Changes]"))
    walk = try click([(1, 24)], after: ": 3 Enter", 40, 12)
    #expect(walk.screen().contains("─[State]"))
    walk = try click([(1, 24), (1, 2)], after: ": 3 Enter", 40, 12)
    #expect(walk.screen().contains("─[Steps]"))
  }

  @Test("the wheel scrolls the pane under it")
  func wheel() throws {
    var walk = try ScreenWalk()
    walk.press(": 3 Enter")
    _ = walk.screen()
    _ = walk.browser.press(.wheel(.forwards, .init(row: 12, column: 50)))
    walk.press("3")
    #expect(walk.screen().contains(#" >         title: "日本"#))
    walk.press("1")
    _ = walk.browser.press(.wheel(.forwards, .init(row: 5, column: 5)))
    #expect(walk.step == 6)
    _ = walk.browser.press(.wheel(.backwards, .init(row: 5, column: 5)))
    #expect(walk.step == 3)
    walk.press("?")
    _ = walk.browser.press(.wheel(.forwards, .init(row: 5, column: 5)))
    #expect(walk.screen().contains("this help"))
    _ = walk.browser.press(.click(.init(row: 5, column: 5)))
    #expect(!walk.screen().contains("this help"))
  }

  @Test("clicks anywhere on any screen are harmless")
  func anywhere() throws {
    for (columns, rows) in [(1, 1), (20, 6), (40, 12), (80, 24), (120, 40)] {
      var walk = try ScreenWalk(columns: columns, rows: rows)
      for row in stride(from: 0, to: rows + 2, by: 3) {
        for column in stride(from: 0, to: columns + 2, by: 7) {
          for _ in 0..<2 { _ = walk.browser.press(.click(.init(row: row, column: column))) }
          #expect(walk.browser.frame().size == TerminalSize(columns: columns, rows: rows))
        }
      }
    }
  }
}
