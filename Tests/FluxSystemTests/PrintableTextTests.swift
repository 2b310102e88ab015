import FluxSystem
import Testing

@Suite("Printable text")
struct PrintableTextTests {
  @Test(
    "escapes what drives a terminal, reorders text or shows nothing, and nothing else",
    arguments: [
      ("", ""), ("plain", "plain"), ("日本 é 🎉 \u{E000}", "日本 é 🎉 \u{E000}"), (#"C:\n"#, #"C:\n"#),
      ("a\tb\nc\rd", #"a\tb\nc\rd"#), ("\r\n", #"\r\n"#), ("\u{1B}[2J", #"\u{1b}[2J"#),
      ("\u{0}\u{7}\u{7F}", #"\u{0}\u{7}\u{7f}"#), ("\u{9B}31m\u{85}", #"\u{9b}31m\u{85}"#),
      ("\u{202E}abc\u{2066}", #"\u{202e}abc\u{2066}"#), ("\u{2028}\u{200F}", #"\u{2028}\u{200f}"#),
      ("\u{2029}\u{61C}", #"\u{2029}\u{61c}"#), ("e\u{301}\u{1B}", "e\u{301}\\u{1b}"),
      ("\u{A0}\u{3000}", "\u{A0}\u{3000}"),
      ("a\u{200B}b\u{FEFF}c\u{AD}d", #"a\u{200b}b\u{feff}c\u{ad}d"#),
      ("\u{2060}\u{180E}\u{34F}\u{3164}", #"\u{2060}\u{180e}\u{34f}\u{3164}"#),
      ("a\u{200C}b\u{200D}c", #"a\u{200c}b\u{200d}c"#), ("1\u{FE0F}", #"1\u{fe0f}"#),
      ("\u{E0041}\u{FFFE}\u{10FFFF}", #"\u{e0041}\u{fffe}\u{10ffff}"#),
    ])
  func escapes(_ text: String, _ expected: String) {
    #expect(text.printable == expected)
    #expect(text.printable.printable == expected)
  }

  @Test(
    "keeps what selects or joins an emoji, but not twice",
    arguments: [
      ("❤\u{FE0F}", "❤\u{FE0F}"), ("👩\u{200D}💻", "👩\u{200D}💻"),
      ("❤\u{FE0F}\u{200D}🔥", "❤\u{FE0F}\u{200D}🔥"), ("👍🏽\u{200D}", "👍🏽\u{200D}"),
      ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\u{fe0f}"), ("👩\u{200D}\u{200D}", "👩\u{200D}\\u{200d}"),
      ("👩\u{200B}", #"👩\u{200b}"#), ("👩a\u{200D}", #"👩a\u{200d}"#),
    ])
  func emoji(_ text: String, _ expected: String) {
    #expect(Array(text.printable.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(
    "breaks the beginning of a command of a CI service",
    arguments: [
      ("::error::x", #":\u{3a}error::x"#), ("  ::add-mask::x", #"  :\u{3a}add-mask::x"#),
      ("\u{3000}::set-env", "\u{3000}:\\u{3a}set-env"), ("a::b", "a::b"), (": :", ": :"),
      ("x ##[error]y", #"x ##\u{5b}error]y"#), ("###[group]", #"###\u{5b}group]"#),
      ("##vso[task.setvariable]", #"##vso\u{5b}task.setvariable]"#),
      ("##teamcity[x]", #"##teamcity\u{5b}x]"#), ("#[x] ## [y] ##1[", "#[x] ## [y] ##1["),
    ])
  func commands(_ text: String, _ expected: String) {
    #expect(text.printable == expected)
    #expect(text.printable.printable == expected)
  }

  @Test("keeps the lines of a text, if asked to, and guards each")
  func lines() {
    #expect("a\n ::b\r\n::c\n".printableLines() == "a\n :\\u{3a}b\\r\n:\\u{3a}c\n")
    #expect("a\n::b".printable == "a\\n::b")
  }

  @Test("writes escapes as JSON does, a pair of them for a scalar above U+FFFF")
  func json() {
    #expect(
      "\t\u{1B}\u{202E}\u{E0041} ##[".printable(as: .json)
        == #"\u0009\u001b\u202e\udb40\udc41 ##\u005b"#)
  }
}
