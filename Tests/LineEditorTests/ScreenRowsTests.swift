import Testing

@testable import LineEditor

@Suite("Screen rows")
struct ScreenRowsTests {
  @Test(
    "counts what a terminal wraps, and takes no room for colours",
    arguments: [
      ("", 0), ("a\nb\n", 2), ("12345\n", 1), ("123456\n", 2), ("日本語\n", 2), ("\r\n", 1),
      ("\u{1B}[1;31m12345\u{1B}[0m\n", 1), ("no end", 1),
    ])
  func counts(_ text: String, _ expected: Int) {
    var rows = ScreenRows(columns: 5)
    for scalar in text.unicodeScalars { rows.feed(String(scalar)) }
    var whole = ScreenRows(columns: 5)
    whole.feed(text)
    #expect(whole.count == expected)
    if !text.contains("\r\n") { #expect(rows.count == expected) }
  }
}
