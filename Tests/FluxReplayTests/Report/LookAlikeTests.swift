import FluxJSON
import Testing

@testable import FluxReplay

@Suite struct LookAlikeTests {
  @Test(
    "texts that look alike are shown with the scalars in which they differ",
    arguments: [
      ("caf\u{E9}", "cafe\u{301}", "(U+00E9)", "(U+0065 U+0301)"),
      ("pay", "p\u{430}y", "(U+0061)", "(U+0430)"),
      ("a b", "a\u{A0}b", "(U+0020)", "(U+00A0)"),
      ("ab", "a\u{200B}b", "(nothing)", "(U+200B)"),
      ("1", "\u{FF11}", "(U+0031)", "(U+FF11)"),
      ("e\u{301}\u{323}", "e\u{323}\u{301}", "(U+0065 U+0301 U+0323)", "(U+0065 U+0323 U+0301)"),
      (
        "x", "x" + String(repeating: "\u{200B}", count: 10), "(nothing)",
        "(U+200B U+200B U+200B U+200B U+200B U+200B U+200B U+200B and 2 more)"
      ),
    ])
  func alike(_ left: String, _ right: String, _ first: String, _ second: String) throws {
    let scalars = try #require(
      LookAlike.scalars(.init(stringLiteral: left), .init(stringLiteral: right)))
    #expect(scalars == (first, second))
  }

  @Test(
    "other texts and values are shown as they are",
    arguments: [
      ("milk", "bread"), ("a", "A"), ("  buy eggs ", "buy eggs"),
      ("ab", "a\u{A0}b"), ("\u{65E5}\u{672C}", "\u{65E5}\u{6728}"), ("a", "ab"),
      ("e", "\u{E9}t\u{E9}"),
    ])
  func different(_ left: String, _ right: String) {
    #expect(LookAlike.scalars(.init(stringLiteral: left), .init(stringLiteral: right)) == nil)
    #expect(LookAlike.scalars(1, .init(stringLiteral: right)) == nil)
  }

  @Test("a report shows the scalars beside the texts")
  func report() {
    var divergence = Divergence(
      .different, step: 1, action: ["type": "a"], recorded: "caf\u{E9}", replayed: "cafe\u{301}")
    divergence.store = "menu"
    #expect(
      divergence.details == [
        "after a, the store menu differs", "  recorded: \"caf\u{E9}\" (U+00E9)",
        "  replayed: \"cafe\u{301}\" (U+0065 U+0301)",
      ])
    #expect(divergence.details[1].unicodeScalars.contains("\u{E9}"))
  }
}
