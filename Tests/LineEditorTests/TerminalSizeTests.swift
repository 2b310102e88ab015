import FluxTerminal
import LineEditor
import Testing

@Suite("Terminal size")
struct TerminalSizeTests {
  @Test(
    "is what the environment says where there is no terminal, if that is a size",
    arguments: [
      ([:], 80, 24), (["COLUMNS": "132", "LINES": "50"], 132, 50), (["COLUMNS": "132"], 132, 24),
      (["COLUMNS": "0", "LINES": "-1"], 80, 24), (["COLUMNS": "wide", "LINES": ""], 80, 24),
      (["COLUMNS": "99999999999999999999"], 80, 24), (["COLUMNS": "10001"], 80, 24),
    ] as [([String: String], Int, Int)])
  func reads(_ environment: [String: String], _ columns: Int, _ rows: Int) {
    let expected = TerminalSize(columns: columns, rows: rows)
    #expect(TerminalSize(descriptor: -1, environment: environment) == expected)
  }

  @Test(
    "a terminal has 256 colors if its name or COLORTERM says so",
    arguments: [
      ([:], .sixteen), (["TERM": "xterm"], .sixteen), (["TERM": "linux"], .sixteen),
      (["TERM": "tmux-256color"], .indexed), (["TERM": "xterm-kitty"], .indexed),
      (["TERM": "xterm", "COLORTERM": "truecolor"], .indexed),
      (["TERM": "xterm", "COLORTERM": ""], .sixteen),
    ] as [([String: String], TerminalColors)])
  func colors(_ environment: [String: String], _ colors: TerminalColors) {
    #expect(TerminalColors(environment: environment) == colors)
  }
}
