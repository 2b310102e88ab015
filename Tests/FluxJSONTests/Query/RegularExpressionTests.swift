import Testing

@testable import FluxJSON

@Suite("RegularExpression")
struct RegularExpressionTests {
  @Test(
    "A pattern matches the whole text, or is found in it",
    arguments: [
      ("", "", true, true), ("", "a", false, true), ("a", "a", true, true),
      ("a", "ba", false, true), ("a.c", "abc", true, true), ("a.c", "a\nc", false, false),
      ("a.c", "a\u{2028}c", true, true), ("ab*c", "ac", true, true), ("ab+c", "ac", false, false),
      ("ab?c", "abbc", false, false), ("a{2}", "aa", true, true), ("a{2}", "a", false, false),
      ("a{2,}", "aaaa", true, true), ("a{2,3}", "aaaa", false, true), ("a{0}", "", true, true),
      ("a|b|", "b", true, true), ("(a|b)*c", "ababc", true, true), ("[a-c]", "b", true, true),
      ("[^a-c]", "b", false, false), ("[^a-c]", "é", true, true), ("[-a]", "-", true, true),
      ("[a-]", "-", true, true), ("[\\]\\-]+", "]-", true, true), ("[a^]", "^", true, true),
      ("\\p{L}+", "aÉ日", true, true), ("\\P{L}", "1", true, true), ("\\p{Nd}", "٣", true, true),
      ("\\p{Lu}", "a", false, false), ("[\\p{Lu}0-9]+", "A1", true, true),
      ("\\n", "\n", true, true),
      ("^a$", "a", true, true), ("^a", "ba", false, false), ("a$", "ab", false, false),
      ("(^a|b)c", "bc", true, true), ("😀", "😀", true, true), (".", "😀", true, true),
      ("(a*)*", "aaaa", true, true), ("(a|a?)+", "aaa", true, true), ("(|a)+b", "aab", true, true),
    ])
  func matches(pattern: String, text: String, whole: Bool, found: Bool) throws {
    let expression = try RegularExpression(pattern)
    #expect(try expression.matches(text) == whole)
    #expect(try expression.isFound(in: text) == found)
  }

  @Test(
    "What is no I-Regexp is refused",
    arguments: [
      "(", ")", "a)", "*", "+a", "a**", "a{", "a{,2}", "a{2,1}", "a}", "[", "]", "[]", "[a",
      "[b-a]",
      "[a-\\p{L}]", "\\", "\\d", "\\w", "\\b", "\\p", "\\p{}", "\\p{Lx}", "\\p{Cs}", "\\p{L",
      "(?:a)",
      "[[a]]", "\\u0041",
    ])
  func refused(pattern: String) {
    #expect(throws: RegularExpression.SyntaxError.self) { try RegularExpression(pattern) }
  }

  @Test("A pattern that would explode is refused, whatever numbers it holds")
  func tooLarge() {
    for pattern in [
      "a{30000}", "(a{1000}){1000}", "(a{0}){99999999999999999999}", "((()){9999}){9999}",
    ] {
      #expect(throws: RegularExpression.SyntaxError.tooLarge) { try RegularExpression(pattern) }
    }
    let deep = String(repeating: "(", count: 100_000)
    #expect(throws: RegularExpression.SyntaxError.tooDeep) { try RegularExpression(deep) }
  }

  @Test("Patterns that make other engines try for years are answered, in steps that can be counted")
  func noBacktracking() throws {
    let text = String(repeating: "a", count: 2_000)
    for pattern in ["(a*)*b", "(a|a)*b", "(a+)+b", "(.*)(.*)(.*)(.*)b"] {
      var checks = 0
      #expect(try RegularExpression(pattern).matches(text, check: { checks += 1 }) == false)
      #expect(checks < 50)
    }
  }

  struct Cancelled: Error {}

  @Test("What the check throws ends the match")
  func cancellation() throws {
    let expression = try RegularExpression("(a|b|c|d)*e")
    #expect(throws: Cancelled.self) {
      try expression.matches(
        String(repeating: "abcd", count: 10_000), check: { throw Cancelled() })
    }
  }
}
