import FluxTerminal
import TerminalTesting
import TestFixtures
import Testing

@Suite("A frame")
struct FrameTests {
  private static let size = TerminalSize(columns: 12, rows: 3)

  private func frame(_ rows: [String], cursor: Frame.Place? = nil) -> Frame {
    var frame = Frame(Self.size)
    for (row, text) in rows.enumerated() {
      frame.write([StyledSpan(text)], at: .init(row: row, column: 0), limit: Self.size.columns)
    }
    frame.cursor = cursor
    return frame
  }

  @Test(
    "cuts text by columns, and never leaves half of a wide character",
    arguments: [
      ("abc", "abc"), ("日本", "日本"), ("日本語", "日本…"), ("a日本", "a日本"),
      ("a日本語", "a日…"), ("e\u{301}e\u{301}xxxyy", "e\u{301}e\u{301}xx…"),
      ("👨‍👩‍👧ab", "👨‍👩‍👧ab"), ("\u{1B}[2J", "\\u00…"), ("a\u{202E}b", "a\\u2…"), ("", ""),
    ])
  func cuts(_ text: String, _ shown: String) {
    var frame = Frame(Self.size)
    frame.write([StyledSpan(text)], at: .init(row: 1, column: 2), limit: 7)
    #expect(frame.lines == ["", shown.isEmpty ? "" : "  " + shown, ""])
  }

  @Test("writes nothing outside of the screen")
  func clips() {
    var frame = Frame(TerminalSize(columns: 0, rows: 0))
    frame.write([StyledSpan("ab")], at: .init(row: 0, column: 0), limit: 80)
    frame.write([StyledSpan("ab")], at: .init(row: 1, column: 0), limit: 80)
    frame.write([StyledSpan("ab")], at: .init(row: 0, column: 5), limit: 80)
    #expect(frame.lines == ["…"])
  }

  @Test("sends only the parts of rows that differ")
  func updates() {
    let old = frame(["one two", "日本語", "same"])
    #expect(old.update(from: old) == "")
    #expect(
      old.update(from: nil)
        == "\u{1B}[?25l\u{1B}[0m\u{1B}[H\u{1B}[2J\u{1B}[1;1H\u{1B}[0mone two\u{1B}[2;1H"
        + "\u{1B}[0m日\u{1B}[3G本\u{1B}[5G語\u{1B}[3;1H\u{1B}[0msame")
    #expect(
      frame(["one six", "日語", "same"]).update(from: old)
        == "\u{1B}[?25l\u{1B}[1;5H\u{1B}[0msix\u{1B}[2;3H\u{1B}[0m語\u{1B}[5G\u{1B}[0m\u{1B}[K")
    #expect(
      frame(["one two", "日本語", "same"], cursor: .init(row: 2, column: 4)).update(from: old)
        == "\u{1B}[?25l\u{1B}[3;5H\u{1B}[?25h")
    var styled = old
    styled.restyle(row: 2, 0..<2, CellStyle(.red, isBold: true))
    #expect(styled.update(from: old) == "\u{1B}[?25l\u{1B}[3;1H\u{1B}[0;1;31msa\u{1B}[0m")
    styled.restyle(row: 2, 0..<2, CellStyle(.indexed(130), isUnderlined: true))
    #expect(
      styled.update(from: old) == "\u{1B}[?25l\u{1B}[3;1H\u{1B}[0;4;38;5;130msa\u{1B}[0m")
  }

  @Test("the updates of random frames lead to their rows on a terminal")
  func updatesRandomly() {
    var random = SeededGenerator()
    let pieces = ["a", "bc ", "  ", "日", "本", "e\u{301}", "x", "…", "|"]
    var screen = Screen(columns: Self.size.columns, rows: Self.size.rows)
    var shown: Frame?
    for _ in 0..<500 {
      let rows = (0..<Self.size.rows).map { _ in
        (0..<Int.random(in: 0...8, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined()
      }
      let next = frame(rows)
      screen.feed(next.update(from: shown))
      #expect(screen.lines == next.lines)
      shown = next
    }
    #expect(screen.unknown == [])
  }
}
