import FluxTerminal
import LineEditor
import Testing

@Suite("Column width")
struct ColumnWidthTests {
  @Test(
    "counts the columns of whole characters",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("🎉", 2), ("👩‍🚀", 2),
      ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2), ("ﾊ", 1),
    ])
  func counts(_ text: String, _ columns: Int) {
    #expect(ColumnWidth.of(text) == columns)
  }

  @Test(
    "pads and cuts to a width, never through a character",
    arguments: [
      ("ab", 4, "ab  "), ("abcd", 4, "abcd"), ("abcde", 4, "abc…"), ("日本語", 5, "日本…"),
      ("日本語", 4, "日… "), ("abc", 1, "…"), ("abc", 0, ""), ("", 2, "  "),
    ])
  func fits(_ text: String, _ columns: Int, _ expected: String) {
    #expect(ColumnWidth.fit(text, columns: columns) == expected)
  }
}
