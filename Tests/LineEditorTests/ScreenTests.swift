import TerminalTesting
import Testing

@Suite("Screen of the tests")
struct ScreenTests {
  @Test(
    "shows what a terminal of five columns and three rows shows",
    arguments: [
      ("ab\r\ncd", ["ab", "cd", ""], 1, 2), ("abcde", ["abcde", "", ""], 0, 4),
      ("abcdef", ["abcde", "f", ""], 1, 1), ("abcde\rx", ["xbcde", "", ""], 0, 1),
      ("日本語", ["日本", "語", ""], 1, 2), ("a\tb", ["a   b", "", ""], 0, 4),
      ("1\r\n2\r\n3\r\n4", ["2", "3", "4"], 2, 1), ("abc\u{1B}[2Dx", ["axc", "", ""], 0, 2),
      ("abc\r\u{1B}[K", ["", "", ""], 0, 0), ("ab\r\ncd\u{1B}[H\u{1B}[J", ["", "", ""], 0, 0),
      ("abc\r\u{1B}[P", ["bc", "", ""], 0, 0), ("abc\r\u{1B}[2@x", ["x abc", "", ""], 0, 1),
      ("a\u{1B}[3;2Hb", ["a", "", " b"], 2, 2), ("e\u{301}", ["e\u{301}", "", ""], 0, 1),
      ("ab\u{8}\u{8}c", ["cb", "", ""], 0, 1), ("a\r\nb\u{1B}[Ac", ["ac", "b", ""], 0, 2),
    ])
  func shows(_ text: String, _ lines: [String], _ row: Int, _ column: Int) {
    var screen = Screen(columns: 5, rows: 3)
    screen.feed(text)
    #expect(screen.lines == lines)
    #expect(screen.cursor.row == row)
    #expect(screen.cursor.column == column)
    #expect(screen.unknown == [])
  }

  @Test("keeps styles, modes, bells and what has left it, and says what it does not know")
  func keeps() {
    var screen = Screen(columns: 5, rows: 1)
    screen.feed("\u{1B}[1;32ma\u{1B}[mb\u{7}\u{1B}[?2004h\r\nc\u{1B}[?25l\u{1B}[5n\u{9B}")
    #expect(screen.scrolledOff == ["ab"])
    #expect(screen.bells == 1)
    #expect(screen.modes == [7, 2004])
    #expect(screen.unknown == ["CSI 5n", "\\u{9b}"])
    screen.feed("\r\u{1B}[31mx\u{1B}[my")
    #expect(screen.cell(row: 0, column: 0) == Screen.Cell(text: "x", style: "31"))
    #expect(screen.cell(row: 0, column: 1).style == "")
  }

  @Test("keeps the cursor's row when it becomes smaller")
  func resizes() {
    var screen = Screen(columns: 5, rows: 3)
    screen.feed("abcde\r\nf\r\ng")
    screen.resize(columns: 3, rows: 2)
    #expect(screen.lines == ["f", "g"])
    screen.resize(columns: 4, rows: 3)
    #expect(screen.lines == ["f", "g", ""])
    #expect(screen.cursor.row == 1)
  }
}
