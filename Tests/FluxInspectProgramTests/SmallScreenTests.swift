import TerminalTesting
import TestFixtures
import Testing

@Suite("Values on small screens", .waiting)
struct SmallScreenTests {
  private static let title = String(repeating: "日本語", count: 30) + "🎉"

  private static let lines =
    [TodoLog.header]
    + (1...30).map { number in
      #"{"n":\#(number),"t":\#(number).000000,"action":{"type":"todo/add","payload":{"title":"\#(title)"}},"#
        + #""patches":{"todos":[{"op":"add","path":"/items/\#(number - 1)","value":{"title":"\#(title)"}}]}}"#
    } + [#"{"end":{"steps":30,"ok":true}}"#]

  @Test("A state, a list and a difference fit the screen", arguments: [(80, 24), (40, 12)])
  func fits(columns: Int, rows: Int) throws {
    let folder = try TemporaryFolder()
    try folder.log(Self.lines)
    let terminal = try folder.open(
      arguments: ["-g", "30", "--no-pager"], columns: columns, rows: rows,
      prompt: "(TodoMVC 30/30 todo/add)")
    for (command, count) in [
      ("state", rows - 2), ("diff", 2), ("list -2..", 3), ("blame todos", 1),
    ] {
      try terminal.run(command, prompt: "(TodoMVC 30/30 todo/add)")
      let shown = terminal.screen.text.split(separator: "\n").map(String.init)
      let start = try #require(shown.lastIndex { $0.hasSuffix(") \(command)") }, "\(shown)")
      let output = shown[(start + 1)...].dropLast()
      #expect(output.count <= count && !output.isEmpty, "\(command): \(output)")
    }
    try terminal.quit(prompt: "(TodoMVC 30/30 todo/add)")
  }
}
