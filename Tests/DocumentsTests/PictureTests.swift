import Foundation
import TerminalTesting
import Testing

@Suite struct PictureTests {
  /// A session that is shown as a picture.
  struct Session: CustomTestStringConvertible, Sendable {
    let file: String
    let title: String
    let lines: [String]
    /// The width of the terminal.
    var columns = 100
    /// The height of the terminal.
    var rows = 200
    /// The keys after the lines, and the text that they lead to, for a program that has the whole screen.
    var keys: [(keys: String, text: String)] = []

    var testDescription: String { file }
  }

  static let sessions = [
    Session(
      file: "docs/images/session.svg",
      title: "A session finds the action that emptied the cart, and shows what was in it",
      lines: [
        "swift run flux-inspect Recordings/shop.jsonl",
        "until changed(cart.lines) && length(cart.lines) == 0",
        "diff --store cart", "list -3..+2", "blame cart.total --all",
      ]),
    Session(
      file: "docs/images/verify.svg",
      title: "A recording that diverges, with the step at which it does",
      lines: [
        "swift run flux-inspect verify Recordings/todomvc-diverged.jsonl --app .build/debug/todomvc-example"
      ], columns: 140),
    Session(
      file: "docs/images/browse.svg",
      title: "The whole screen: the steps, the changes of one of them, and its state",
      lines: ["swift run flux-inspect Recordings/shop.jsonl"], rows: 26,
      keys: [("browse\n", "─[Steps]"), (":9\n", "Shop 9/28 cart/setCount"), ("b", "breakpoint 1")]),
  ]

  /// `make pictures` writes them again.
  @Test("each picture shows what a terminal shows today", arguments: sessions)
  func isCurrent(_ session: Session) throws {
    let shell = try ShellSession(columns: session.columns, rows: session.rows)
    for line in session.lines { try shell.run(line) }
    for (keys, text) in session.keys { try shell.press(keys, until: text) }
    let rows = session.keys.isEmpty ? shell.screen.cursor.row + 1 : session.rows
    let picture = Picture(of: shell.screen, rows: rows, title: session.title)
    let file = Project.root.appending(path: session.file)
    if ProcessInfo.processInfo.environment["FLUX_UPDATE"] == "1" {
      try Data(picture.svg.utf8).write(to: file)
    }
    #expect(try Project.text(of: session.file) == picture.svg, "make pictures")
  }

  @Test("runs of cells stand at their columns, in their colours, without the blanks at the end")
  func svg() {
    var screen = Screen(columns: 10, rows: 1)
    screen.feed("a<b \u{1B}[36mcd\u{1B}[0m  ")
    let texts = Picture(of: screen, rows: 1, title: "").svg.split(separator: "\n").filter {
      $0.hasPrefix("<text")
    }
    #expect(
      texts == [
        #"<text x="20" y="58" textLength="33.6">a&lt;b </text>"#,
        #"<text x="53.6" y="58" textLength="16.8" class="cyan">cd</text>"#,
      ])
  }
}
