import FluxCommands
import FluxInspector
import FluxLog
import FluxTerminal
import Testing

@testable import FluxScreen

@Suite struct BrowseKeysTests {
  /// Every key that a terminal sends and the screen may know, with its name in the help.
  private static let keys: [(key: BrowseKey, name: String)] =
    (33...126).map { code in
      let character = Character(Unicode.Scalar(UInt8(code)))
      return (.character(character), String(character))
    }
    + "abdefghiklmnopqrstuvwxyz".map { (.control($0), "Ctrl-\($0.uppercased())") }
    + [
      (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"), (.home, "Home"),
      (.end, "End"), (.pageUp, "PgUp"), (.pageDown, "PgDn"), (.tab, "Tab"),
      (.backTab, "Shift-Tab"), (.enter, "Enter"), (.escape, "Esc"), (.interrupt, "Ctrl-C"),
      (.character(" "), "Space"), (.click(.init(row: 5, column: 5)), "Mouse"),
      (.wheel(.forwards, .init(row: 5, column: 5)), "Mouse"),
    ]

  /// `true` if a key has any effect in a pane.
  private func acts(_ key: BrowseKey, in pane: Pane) -> Bool {
    let rows = (0..<40).map {
      StateRow(
        path: "/\($0)", depth: 0, name: "a", value: "", fold: $0 == 5 ? .open : .closed,
        isChanged: false)
    }
    let tree = StateTree(rows: rows)
    var state = BrowseState(size: TerminalSize(columns: 80, rows: 24))
    (state.pane, state.search, state.stateRow) = (pane, "a", 5)
    (state.changesTop, state.changesColumn) = (5, 8)
    let before = state
    return state.press(key, in: tree) != nil || state != before
  }

  @Test("the help names every key that does something, and no other", arguments: keys)
  func help(_ key: BrowseKey, _ name: String) {
    let named = Set(BrowseKeys.all.flatMap { $0.keys.split(separator: " ").map(String.init) })
    let isKnown = Pane.allCases.contains { acts(key, in: $0) }
    #expect(named.contains(name) == isKnown)
  }

  @Test("the help fits on 80 columns and 24 rows")
  func fits() throws {
    let help = try ScreenWalk.screen("?", 80, 24)
    for entry in BrowseKeys.all { #expect(help.contains(entry.effect), "\(entry.keys)") }
  }

  @Test("on a narrow screen, the effects of keys stand below them, and all can be read")
  func narrowHelp() throws {
    #expect(
      try ScreenWalk.screen("? PgDn Up Up Up Up Up", 40, 10) == #"""

        Notes start/8
        Left Right  h l
          previous or next root action;
          sideways; fold, unfold
        PgUp PgDn  Ctrl-B Ctrl-F
          a page of the pane; Space is a page
          forwards, too
        Ctrl-U Ctrl-D
          half a page of the pane
        Up Down scroll, other keys close this

        """#)
    for columns in [20, 40, 77] {
      let rows = HelpRow.rows(columns: columns)
      #expect(rows.allSatisfy { $0.keys.count + $0.effect.count <= columns })
      let words = rows.flatMap { ($0.keys + $0.effect).split(separator: " ") }
      #expect(words == BrowseKeys.all.flatMap { "\($0.keys) \($0.effect)".split(separator: " ") })
    }
  }
}
