import TerminalTesting
import Testing

@Suite("A line editor at a terminal", .serialized)
struct LineEditorTests {
  @Test("edits a line with the arrow keys, and hands it out")
  func editsALine() throws {
    let terminal = try start()
    try terminal.type("helo")
    try terminal.wait(forLine: "(0)> helo")
    try terminal.type("\u{1B}[Dl\u{1B}OH>\n")
    try terminal.wait(for: "got [>hello]")
    try terminal.wait(forLine: "(0)>")
    try terminal.type("quit\n")
    #expect(try terminal.waitForEnd() == .code(0))
    #expect(terminal.screen.unknown == [])
  }

  private func start(
    _ environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws -> Terminal {
    let terminal = try Terminal(
      [BuiltProduct.path("line-editor-program")], environment: environment, columns: columns,
      rows: rows)
    try terminal.wait(forLine: "(0)>")
    return terminal
  }
}
