import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct StateComparisonTests {
  @Test(
    "a token in a recorded text stands for any text",
    arguments: [
      ("closed", "closed", true), ("closed", "close", false), ("", "", true), ("", "x", false),
      ("no <redacted 5f0c2a9e71b3d844>", "no key", true),
      ("no <redacted 5f0c2a9e71b3d844>", "no ", true),
      ("no <redacted 5f0c2a9e71b3d844>", "not", false),
      ("no <redacted 5f0c2a9e71b3d844>!", "no key!", true),
      ("no <redacted 5f0c2a9e71b3d844>!", "no key", false),
      (
        "<redacted 5f0c2a9e71b3d844> and <redacted 5f0c2a9e71b3d845>.", "a and b and c.", true
      ),
      ("<redacted 5f0c2a9e71b3d844> or <redacted 5f0c2a9e71b3d845>.", "a and b.", false),
      ("<redacted 5f0c>", "key", false), ("<redacted 5f0c2a9e71b3d844", "key", false),
      // One overlap must not serve as the end of one piece and the beginning of the next.
      ("ab<redacted 5f0c2a9e71b3d844>ba", "aba", false),
      ("caf\u{E9}", "cafe\u{301}", false),
    ])
  func tokens(_ recorded: String, _ text: String, _ isMatch: Bool) {
    #expect(RedactionToken.isMatch(text, of: recorded) == isMatch)
  }

  private func places(
    _ recorded: String, _ replayed: String, ignoring paths: [String] = [], tolerance: Double = 0
  ) throws -> [String] {
    let states = [try JSON.parse(recorded), try JSON.parse(replayed)]
    let ignored = try IgnoredPlaces(try paths.map { try IgnoredPath($0) }, "s", states)
    return StateComparison(tolerance: tolerance, ignored: ignored)
      .compare(states[0], states[1], at: ["s"]).places
      .map {
        "\(Pointer(tokens: $0.tokens)) \($0.recorded?.text ?? "-") \($0.replayed?.text ?? "-")"
      }
  }

  @Test(
    "each place that differs is told, in the order of the record",
    arguments: [
      (#"{"a":1,"b":[1,{"c":2}]}"#, #"{"b":[1.0,{"c":2}],"a":1}"#, []),
      (#"1"#, #"2"#, ["/s 1 2"]),
      (#"{"a":1,"b":2,"c":3}"#, #"{"b":4,"a":1,"d":5}"#, ["/s/b 2 4", "/s/c 3 -", "/s/d - 5"]),
      (#"[1,2,3]"#, #"[1,5,6]"#, ["/s/1 2 5", "/s/2 3 6"]),
      (#"{"a":[1]}"#, #"{"a":{"0":1}}"#, [#"/s/a [1] {"0":1}"#]),
      (#"{"a":null}"#, #"{}"#, ["/s/a null -"]),
      (#"{"x/y":{"~":1}}"#, #"{"x/y":{"~":2}}"#, ["/s/x~1y/~0 1 2"]),
    ] as [(String, String, [String])])
  func places(_ recorded: String, _ replayed: String, _ expected: [String]) throws {
    #expect(try places(recorded, replayed) == expected)
  }

  @Test(
    "of lists that differ in length only the first place is told",
    arguments: [
      (#"[1,2,3,4]"#, #"[1,3,4]"#, ["/s/1 2 3"]), (#"[1,2]"#, #"[1,2,3]"#, ["/s/2 - 3"]),
      (#"[1]"#, #"[]"#, ["/s/0 1 -"]),
    ] as [(String, String, [String])])
  func lengths(_ recorded: String, _ replayed: String, _ expected: [String]) throws {
    #expect(try places(recorded, replayed) == expected)
  }

  @Test("a missing element is found after others that differ only at ignored places")
  func unevenLists() throws {
    let (recorded, replayed) = (#"[{"t":1.0},{"t":2}]"#, #"[{"t":1.0001}]"#)
    #expect(try places(recorded, replayed) == ["/s/0/t 1.0 1.0001"])
    #expect(try places(recorded, replayed, ignoring: ["/s/*/t"]) == [#"/s/1 {"t":2} -"#])
    #expect(try places(recorded, replayed, ignoring: ["s[*].t"]) == [#"/s/1 {"t":2} -"#])
    #expect(try places(recorded, replayed, tolerance: 0.001) == [#"/s/1 {"t":2} -"#])
    let token = #"{"t":"<redacted 5f0c2a9e71b3d844>"}"#
    #expect(try places("[\(token)]", #"[{"t":"a"},3]"#) == ["/s/1 - 3"])
    let nested = (#"[[{"t":1}],[5]]"#, #"[[{"t":2},4],[6,7],8]"#)
    #expect(try places(nested.0, nested.1, ignoring: ["/s/*/*/t"]) == ["/s/0/1 - 4"])
    #expect(try places(nested.0, nested.1, ignoring: ["/s/0"]) == ["/s/1/0 5 6"])
  }

  @Test(
    "what is ignored is passed over with all that is in it",
    arguments: [
      (["/s/a"], ["/s/b/0/t 1 2", "/s/b/1/t 1 2"]), (["/s/b"], ["/s/a 1 2"]),
      (["/s/b/*/t"], ["/s/a 1 2"]), (["/*/b/0"], ["/s/a 1 2", "/s/b/1/t 1 2"]),
      (["s.b[*].t"], ["/s/a 1 2"]), (["$.state.s.b[1]"], ["/s/a 1 2", "/s/b/0/t 1 2"]),
      (["$.state..t", "/s/a"], []), (["/s"], []),
      (["/other"], ["/s/a 1 2", "/s/b/0/t 1 2", "/s/b/1/t 1 2"]),
    ] as [([String], [String])])
  func ignored(_ paths: [String], _ expected: [String]) throws {
    let recorded = #"{"a":1,"b":[{"t":1},{"t":1}]}"#
    let replayed = #"{"a":2,"b":[{"t":2},{"t":2}]}"#
    #expect(try places(recorded, replayed, ignoring: paths) == expected)
  }

  @Test(
    "of two members whose names only look the same, the one that a path names is passed over",
    arguments: ["/s/\u{E9}", "/*/\u{E9}", "s['\u{E9}']"])
  func lookAlike(_ path: String) throws {
    let states = [1, 2].map { "{\"\u{E9}\":\($0),\"e\u{301}\":\($0)}" }
    let found = try places(states[0], states[1], ignoring: [path])
    #expect(found.map { Array($0.utf8) } == [Array("/s/e\u{301} 1 2".utf8)])
    #expect(try places("1", "2", ignoring: ["/s\u{301}", "/s/\u{301}"]) == ["/s 1 2"])
  }

  @Test(
    "numbers within the tolerance are the same, by the larger one and at least by one",
    arguments: [
      (1000.0, 1000.9, 0.001, true), (1000.0, 1001.1, 0.001, false), (0.0, 0.001, 0.001, true),
      (0.0, 0.0011, 0.001, false), (-5.0, 5.0, 0.001, false),
    ])
  func tolerance(_ left: Double, _ right: Double, _ tolerance: Double, _ isSame: Bool) throws {
    #expect(try places("[\(left)]", "[\(right)]", tolerance: tolerance).isEmpty == isSame)
  }

  @Test(
    "a number beyond the range of a double is only the same as itself, whatever the tolerance",
    arguments: ["1", "-1", "0", "1e308", "-1e400", "1.5e400", "1e401", "1e-400"])
  func toleranceBeyondDoubles(_ other: String) throws {
    for (left, right) in [("1e400", other), (other, "1e400")] {
      #expect(try places(left, right, tolerance: 0.5) == ["/s \(left) \(right)"])
    }
    #expect(try places("1e400", "10e399", tolerance: 0.5).isEmpty)
  }

  @Test("an invalid path is refused", arguments: ["/a/~2", "todos.items[", "$.state["])
  func malformed(_ path: String) {
    #expect(throws: (any Error).self) { try IgnoredPath(path) }
  }

  @Test("an ignored path that never leads to a state is refused, with the path that was meant")
  func noState() {
    let error = #expect(throws: IgnoredPath.NoState.self) {
      try IgnoredPath("$.todos.items[*].title")
    }
    #expect(
      error?.description
        == "the path leads to no state; begin with a store or with $.state; did you mean todos.items[*].title?"
    )
    for path in ["$.action.payload", "$.step", "$.before.todos"] {
      #expect(throws: IgnoredPath.NoState.self) { try IgnoredPath(path) }
    }
    for path in ["$.state.todos", "$..created", "$", "todos..created", "todos[?@.id == 1]"] {
      #expect(throws: Never.self) { try IgnoredPath(path) }
    }
  }

  @Test("values that nest as deeply as a log allows are compared")
  func deep() throws {
    let left = String(repeating: "[", count: 500) + "1" + String(repeating: "]", count: 500)
    let right = left.replacing("1", with: "2")
    #expect(try places(left, right).count == 1)
  }

  @Test(
    "a token, or what was made of one, is not compared",
    arguments: [
      ("<redacted 5f0c2a9e71b3d844>", true), ("Bearer <redacted 5f0c2a9e71b3d844>!", true),
      ("<<redacted 5f0c2a9e71b3d844>", true), ("<redacted 5f0c2a9e71b3d84>", false),
      ("<redacted 5F0C2A9E71B3D844>", false), ("redacted", false),
    ])
  func tokens(_ text: String, _ isToken: Bool) {
    let comparison = StateComparison(tolerance: 0, ignored: nil)
    let result = comparison.compare(["a": JSON(stringLiteral: text)], ["a": "secret"], at: ["s"])
    #expect(result.places.isEmpty == isToken)
    #expect(result.redacted == (isToken ? [Pointer(tokens: ["s", "a"])] : []))
    #expect(RedactionToken.isAnywhere(in: [["x": JSON(stringLiteral: text)]]) == isToken)
  }
}
