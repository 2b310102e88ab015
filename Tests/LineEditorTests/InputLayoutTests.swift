import FluxTerminal
import Testing

@testable import LineEditor

@Suite("Input layout")
struct InputLayoutTests {
  /// `|` is where the cursor is.
  @Test(
    "places cursor and end as libedit does",
    arguments: [
      ("> ", "|", 10, (0, 2), (0, 2)), ("> ", "abc|", 10, (0, 5), (0, 5)),
      ("> ", "a|bc", 10, (0, 3), (0, 5)), ("> ", "12345678|", 10, (1, 0), (1, 0)),
      ("> ", "123456789|", 10, (1, 1), (1, 1)), ("0123456789", "|", 10, (1, 0), (1, 0)),
      ("> ", "日本語|", 7, (1, 2), (1, 2)), ("> ", "日本|語", 7, (1, 0), (1, 2)),
      ("> ", "\t|x", 20, (0, 8), (0, 9)), ("> ", "\u{1}|x", 20, (0, 4), (0, 5)),
      ("> ", "one|\nbck:o", 20, (0, 5), (1, 5)), ("", "\u{E000}|", 20, (0, 1), (0, 1)),
      ("> ", "abcdefgh|ijklmnopqrstuvwxyz", 5, (2, 0), (3, 3)),
    ] as [(String, String, Int, (Int, Int), (Int, Int))])
  func places(
    _ prompt: String, _ marked: String, _ columns: Int, _ cursor: (Int, Int), _ end: (Int, Int)
  ) {
    let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
    let start = String(parts[0])
    let line = EditedLine(start + parts[1], cursorByte: start.utf8.count)
    let layout = InputLayout(
      prompt: prompt, line: line, size: TerminalSize(columns: columns, rows: 4))
    #expect(layout.cursor == InputLayout.Place(row: cursor.0, column: cursor.1))
    #expect(layout.end == InputLayout.Place(row: end.0, column: end.1))
  }
}
