import FluxInspector
import FluxLog
import FluxTerminal
import TestFixtures

@testable import FluxScreen

/// A screen that a test walks through with keys.
struct ScreenWalk {
  let folder: TemporaryFolder
  var browser: Browser
  /// `true` once a key has left the screen.
  private(set) var hasLeft = false

  init(
    _ lines: [String] = NotesLog.lines, columns: Int = 80, rows: Int = 24, usesColor: Bool = false
  ) throws {
    folder = try TemporaryFolder()
    let path = try folder.write(lines.map { $0 + "\n" }.joined(), to: "log.jsonl")
    let log = try LogFile.open(path)
    try log.waitForIndex()
    browser = Browser(
      Session(log), size: TerminalSize(columns: columns, rows: rows), usesColor: usesColor)
  }

  /// Presses keys: names such as `Down` and `PgUp`, and all other words letter by letter.
  mutating func press(_ keys: String) {
    for word in keys.split(separator: " ") {
      for key in Self.keys(of: String(word)) {
        if !browser.press(key) { hasLeft = true }
      }
    }
  }

  private static func keys(of word: String) -> [BrowseKey] {
    let named: [String: BrowseKey] = [
      "Up": .up, "Down": .down, "Left": .left, "Right": .right, "Home": .home, "End": .end,
      "PgUp": .pageUp, "PgDn": .pageDown, "Tab": .tab, "BackTab": .backTab, "Enter": .enter,
      "Esc": .escape, "Backspace": .backspace, "Ctrl-C": .interrupt, "Space": .character(" "),
    ]
    return named[word].map { [$0] } ?? word.map { .character($0) }
  }

  /// The rows of the screen.
  mutating func screen() -> String { browser.frame().lines.joined(separator: "\n") }

  /// The number of the step that the session stands at; 0 before the first.
  var step: UInt64 { browser.session.stepNumber ?? 0 }
}
