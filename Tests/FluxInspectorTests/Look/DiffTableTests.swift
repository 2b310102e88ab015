import FluxJSON
import Testing

@testable import FluxCommands
@testable import FluxInspector

/// Differences by hand: two states, and all that `diff` says about them.
@Suite("The table of differences")
struct DiffTableTests {
  private func text(_ old: String, _ new: String) throws -> String {
    let (old, new) = (try JSON.parse(#"{"s":\#(old)}"#), try JSON.parse(#"{"s":\#(new)}"#))
    let difference = Difference(from: StepNumber(1), old, to: StepNumber(2), new)
    return try StyledLine.lines { try $0.difference(difference) }.dropFirst().map(\.text)
      .joined(separator: "\n")
  }

  private static func todos(_ numbers: some Sequence<Int>) -> String {
    "[" + numbers.map { #"{"id":\#($0),"title":"todo \#($0)"}"# }.joined(separator: ",") + "]"
  }

  @Test(
    "What changed is told as it happened",
    arguments: [
      // Values
      ("1", "2", "~ /s: 1 -> 2"),
      (#"{"a":1}"#, #"{"a":"1"}"#, #"~ /s/a: 1 -> "1""#),
      (#"{"a":null}"#, "{}", "- /s/a: null"),
      ("{}", #"{"a":null}"#, "+ /s/a: null"),
      (#"{"a":null}"#, #"{"a":false}"#, "~ /s/a: null -> false"),
      (#"{"a":1.10}"#, #"{"a":1.2e1}"#, "~ /s/a: 1.10 -> 1.2e1"),
      (#"{"a":1.10}"#, #"{"a":1.1}"#, ""),
      (
        #"{"a":12345678901234567890123}"#, #"{"a":12345678901234567890124}"#,
        "~ /s/a: 12345678901234567890123 -> 12345678901234567890124"
      ),
      (#"{"a":{}}"#, #"{"a":[]}"#, "~ /s/a: {} -> []"),
      (#"{"a":[]}"#, #"{"a":[[]]}"#, "+ /s/a/0: []"),
      (#"{"a":{"b":{}}}"#, #"{"a":{"b":{"c":{}}}}"#, "+ /s/a/b/c: {}"),
      (
        #"{"a/b":1,"m~n":2,"":3,"日本":4}"#, #"{"a/b":2,"m~n":3,"":4,"日本":5}"#,
        #"""
        ~ /s/a~1b: 1 -> 2
        ~ /s/m~0n: 2 -> 3
        ~ /s/: 3 -> 4
        ~ /s/日本: 4 -> 5
        """#
      ),
      (#"{"a\nb":1}"#, #"{"a\nb":"\u001b[1m"}"#, #"~ /s/a\u000ab: 1 -> "\u001b[1m""#),
      // Elements by identity
      (todos(0..<100), todos((0..<100).reversed()), "> /s: 100 elements in reverse order"),
      (todos(1...5), todos([1, 4, 2, 3, 5]), "> /s/1 (id 4): moved from 3"),
      (
        todos(1...12), todos([7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6]),
        #"""
        > /s/0 (id 7): moved from 6
        > /s/1 (id 8): moved from 7
        > /s/2 (id 9): moved from 8
        > /s/3 (id 10): moved from 9
        > /s/4 (id 11): moved from 10
        > /s/5 (id 12): moved from 11
        """#
      ),
      (todos(1...20), todos((1...20).map { ($0 * 7) % 20 + 1 }), "> /s: 13 elements moved"),
      (
        todos(1...3), todos([3, 1, 4]),
        #"""
        > /s/0 (id 3): moved from 2
        + /s/2 (id 4): {"id":4,"title":"todo 4"}
        - /s/1 (id 2): {"id":2,"title":"todo 2"}
        """#
      ),
      (
        #"[{"id":"a","done":false},{"id":"b","done":false}]"#,
        #"[{"id":"b","done":true},{"id":"a","done":false}]"#,
        #"""
        > /s/0 (id "b"): swapped with 1 (id "a")
        ~ /s/0/done (id "b"): false -> true
        """#
      ),
      (
        todos(1...3), todos([2]),
        #"""
        - /s/0 (id 1): {"id":1,"title":"todo 1"}
        - /s/2 (id 3): {"id":3,"title":"todo 3"}
        """#
      ),
      (
        todos(1...3), "[]",
        #"""
        - /s/0 (id 1): {"id":1,"title":"todo 1"}
        - /s/1 (id 2): {"id":2,"title":"todo 2"}
        - /s/2 (id 3): {"id":3,"title":"todo 3"}
        """#
      ),
      (
        #"[{"id":1,"n":1},{"id":1,"n":2}]"#, #"[{"id":1,"n":2},{"id":1,"n":1}]"#,
        #"""
        - /s/0: {"id":1,"n":1}
        + /s/1: {"id":1,"n":1}
        """#
      ),
      (#"[{"id":1},{"n":2}]"#, #"[{"id":1},{"n":3}]"#, "~ /s/1/n: 2 -> 3"),
      (
        #"[{"id":1}]"#, #"[{"id":"1"}]"#,
        #"""
        + /s/0 (id "1"): {"id":"1"}
        - /s/0 (id 1): {"id":1}
        """#
      ),
      (
        #"[{"id":1,"tags":[{"id":"x"}]},{"id":2,"tags":[]}]"#,
        #"[{"id":2,"tags":[{"id":"x"}]},{"id":1,"tags":[]}]"#,
        #"""
        > /s/0 (id 2): swapped with 1 (id 1)
        + /s/0/tags/0 (id "x"): {"id":"x"}
        - /s/1/tags/0 (id "x"): {"id":"x"}
        """#
      ),
      // Elements by their place
      (
        "[1,2,3,4]", "[1,3,4,5]",
        #"""
        - /s/1: 2
        + /s/3: 5
        """#
      ),
      (
        "[[1,2],[3,4]]", "[[3,4],[1,2]]",
        #"""
        - /s/0: [1,2]
        + /s/1: [1,2]
        """#
      ),
      (
        "[[1,2],[3,4]]", "[[1,2],[3,5,6]]",
        #"""
        ~ /s/1/1: 4 -> 5
        + /s/1/2: 6
        """#
      ),
      (
        #"["a","b","c"]"#, #"["c","b","a"]"#,
        #"""
        - /s/0: "a"
        - /s/1: "b"
        + /s/1: "b"
        + /s/2: "a"
        """#
      ),
      (
        #"[1,{"a":1},"x"]"#, #"[{"a":2},"x",true]"#,
        #"""
        ~ /s/0: 1 -> {"a":2}
        - /s/1: {"a":1}
        + /s/2: true
        """#
      ),
      // Texts
      (
        "\"caf\u{E9}\"", "\"cafe\u{301}\"",
        "~ /s: \"caf\u{E9}\" -> \"cafe\u{301}\"  (U+00E9) -> (U+0065 U+0301)"
      ),
      (#""milk""#, #""oat milk""#, #"~ /s: "milk" -> "oat milk""#),
      (
        #""The quick brown fox jumps over the lazy dog, and then it sleeps.""#,
        #""The quick brown cat jumps over the lazy dog, and then it sleeps.""#,
        #"~ /s: "The quick brown [-fox-]{+cat+} jumps over the lazy…""#
      ),
      (
        #""The quick brown fox jumps over the lazy dog, and then it sleeps.""#,
        #""The quick brown fox jumps over the lazy dog, and then it sleeps. Or not?""#,
        #"~ /s: "… and then it sleeps.{+ Or not?+}""#
      ),
      (
        #""吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所で""#,
        #""吾輩は犬である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所で""#,
        #"~ /s: "吾輩は[-猫-]{+犬+}である。名前はまだ無い。どこで生れたかと…""#
      ),
      (
        #""The family 👨‍👩‍👧 goes to the zoo on a sunny day in the spring""#,
        #""The family 👨‍👩‍👦 goes to the zoo on a sunny day in the spring""#,
        #"~ /s: "The family [-👨‍👩‍👧-]{+👨‍👩‍👦+} goes to the zoo on …""#
      ),
      (
        #""She ordered one more cafe in the bar beside the station""#,
        #""She ordered one more cafe\u0301 in the bar beside the station""#,
        #"~ /s: "She ordered one more [-cafe-]{+café+} in the bar beside t…""#
      ),
      (
        #""The flag 🇩🇪🇫🇷 hangs over the door of the house by the river""#,
        #""The flag 🇩🇰🇫🇷 hangs over the door of the house by the river""#,
        #"~ /s: "The flag [-🇩🇪-]{+🇩🇰+}🇫🇷 hangs over the doo…""#
      ),
      (
        #""first line\nsecond line\nthird line\nfourth line\nfifth line""#,
        #""first line\nsecond line\nfourth line\nfifth line""#,
        """
        ~ /s: 1 line of its text differs
          3 - third line
        """
      ),
      (
        #""one\ntwo\nthree\nfour\nfive\nsix""#,
        #""one\n2\nthree\nnew\nnewer\nfour\nfive\nsix\n""#,
        """
        ~ /s: 5 lines of its text differ
          2 - two
            + 2
          4 + new
            + newer
          9 + \

        """
      ),
      (
        #""It was the best of times, it was the worst of times""#,
        #""Call me Ishmael. Some years ago, never mind how long""#,
        #"~ /s: "It was the best of times, it was the worst of times" -> "Call me Ishmael. Some years ago, never mind how long""#
      ),
    ])
  func told(old: String, new: String, expected: String) throws {
    let told = try text(old, new)
    #expect(told == expected)
  }
}
