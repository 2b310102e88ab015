import FluxTerminal
import LineEditor
import Testing

@Suite("Sanitised text")
struct SanitisedTests {
  @Test(
    "spells out what drives a terminal, and nothing else",
    arguments: [
      ("", ""), ("plain", "plain"), ("日本 é 🎉", "日本 é 🎉"), (#"C:\n"#, #"C:\n"#),
      ("a\tb\nc\rd", #"a\tb\nc\rd"#), ("\r\n", #"\r\n"#), ("\u{1B}[2J", #"\u{1B}[2J"#),
      ("\u{0}\u{7}\u{7F}", #"\u{0}\u{7}\u{7F}"#), ("\u{9B}31m", #"\u{9B}31m"#),
      ("\u{202E}abc\u{2066}", #"\u{202E}abc\u{2066}"#), ("\u{2028}\u{200F}", #"\u{2028}\u{200F}"#),
      ("e\u{301}\u{1B}", "e\u{301}\\u{1B}"), ("\u{A0}", "\u{A0}"),
    ])
  func spellsOut(_ text: String, _ expected: String) {
    #expect(text.sanitised == expected)
    #expect(text.sanitised.sanitised == expected)
  }
}
