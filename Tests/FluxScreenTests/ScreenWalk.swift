import FluxInspector
import FluxLog
import FluxTerminal
import Foundation
import TestFixtures

@testable import FluxScreen

/// A screen that a test walks through with keys.
struct ScreenWalk {
  /// The folder of the log; nil for a recording of the project.
  let folder: TemporaryFolder?
  var browser: Browser
  /// `true` once a key has left the screen.
  private(set) var hasLeft = false

  init(
    _ lines: [String] = NotesLog.lines, columns: Int = 80, rows: Int = 24,
    colors: TerminalColors? = nil
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(lines.map { $0 + "\n" }.joined(), to: "log.jsonl")
    try self.init(path: path, in: folder, columns: columns, rows: rows, colors)
  }

  /// Opens a recording of the project.
  init(recording name: String, columns: Int, rows: Int) throws {
    let recordings = URL(filePath: #filePath).appending(path: "../../../Recordings").standardized
    let path = recordings.appending(path: name).path()
    try self.init(path: path, in: nil, columns: columns, rows: rows, nil)
  }

  private init(
    path: String, in folder: TemporaryFolder?, columns: Int, rows: Int,
    _ colors: TerminalColors?
  ) throws {
    self.folder = folder
    let log = try LogFile.open(path)
    try log.waitForIndex()
    browser = Browser(
      Session(log), size: TerminalSize(columns: columns, rows: rows), colors)
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
    if word.hasPrefix("Ctrl-"), word != "Ctrl-C", let letter = word.last {
      return [.control(Character(letter.lowercased()))]
    }
    let named: [String: BrowseKey] = [
      "Up": .up, "Down": .down, "Left": .left, "Right": .right, "Home": .home, "End": .end,
      "PgUp": .pageUp, "PgDn": .pageDown, "Tab": .tab, "BackTab": .backTab, "Enter": .enter,
      "Esc": .escape, "Backspace": .backspace, "Ctrl-C": .interrupt, "Space": .character(" "),
    ]
    return named[word].map { [$0] } ?? word.map { .character($0) }
  }

  /// The rows of the screen.
  mutating func screen() -> String { browser.frame().lines.joined(separator: "\n") }

  /// The screen after keys, between two empty rows.
  static func screen(
    of lines: [String] = NotesLog.lines, _ keys: String, _ columns: Int, _ rows: Int
  ) throws -> String {
    var walk = try ScreenWalk(lines, columns: columns, rows: rows)
    walk.press(keys)
    return "\n" + walk.screen() + "\n"
  }

  /// The number of the step that the session stands at; 0 before the first.
  var step: UInt64 { browser.session.stepNumber ?? 0 }
}
