import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct PatchOverlayTests {
  private static let base = #"{"a":[1,{"x":2},[]],"b":{"c":"d"},"e/f":null}"#

  /// What an overlay makes of patches; nil where they are for a draft.
  private func overlaid(_ base: JSON, _ patches: [String]) throws -> JSON? {
    let patches = try patches.map { try JSON.parse($0) }
    return base.document.withTape { tape in
      guard var overlay = PatchOverlay(base, on: tape),
        patches.allSatisfy({ overlay.take($0) })
      else { return nil }
      return overlay.result()
    }
  }

  private func nodes(of value: JSON) -> [[UInt32]] {
    value.document.withTape { tape in
      (0..<tape.count).map { [tape[$0].start, tape[$0].end, tape[$0].next, tape[$0].info] }
    }
  }

  @Test(
    "Values of patches stand in the place of the ones before, as if parsed with the rest",
    arguments: [
      ([], base),
      ([#" [ ] "#], base),
      (
        [#"[{"op":"replace","path":"/a/1/x","value":[3,{"y":"\n"}]}]"#],
        #"{"a":[1,{"x":[3,{"y":"\n"}]},[]],"b":{"c":"d"},"e/f":null}"#
      ),
      (
        [
          #"[{"path":"/b","value":{"c":1},"op":"replace","from":7}, {"op":"replace","path":"/a/0","value":2}]"#,
          #"[{"op":"replace","path":"/e~1f","value":"g"}]"#,
          #"[{"op":"replace","path":"/a/0","value":true}]"#,
        ],
        #"{"a":[true,{"x":2},[]],"b":{"c":1},"e/f":"g"}"#
      ),
      (
        [
          #"[{"op":"replace","path":"/a/1/x","value":5}]"#,
          #"[{"op":"replace","path":"/a","value":[]}]"#,
        ],
        #"{"a":[],"b":{"c":"d"},"e/f":null}"#
      ),
    ] as [([String], String)])
  func replaced(patches: [String], expected: String) throws {
    let result = try #require(try overlaid(JSON.parse(Self.base), patches))
    #expect(result.text == expected)
    #expect(nodes(of: result) == nodes(of: try JSON.parse(expected)))
  }

  @Test(
    "What else patches do, and what is wrong with them, is left to a draft",
    arguments: [
      #"[{"op":"add","path":"/b","value":1}]"#, #"[{"op":"remove","path":"/b"}]"#,
      #"[{"op":"replace","path":"","value":1}]"#, #"[{"op":"replace","path":"/none","value":1}]"#,
      #"[{"op":"replace","path":"b","value":1}]"#, #"[{"op":"replace","path":"/a/-","value":1}]"#,
      #"[{"op":"replace","path":"/\u0062","value":1}]"#, #"[{"op":"replace","path":"/b"}]"#,
      #"[{"op":"replace","path":"/b","value":{"c":1,"c":2}}]"#, #"[7]"#, #"{"op":"replace"}"#,
    ])
  func others(patch: String) throws {
    #expect(try overlaid(JSON.parse(Self.base), [patch]) == nil)
  }

  @Test("A value that may nest too deep is left to a draft", arguments: [0, 1, 2, 3])
  func deep(more: Int) throws {
    // In a patch a value is in two containers, and here in as many as there are tokens.
    let path = String(repeating: "/0", count: more + 1)
    let levels = more + 1
    let base = try JSON.parse(
      String(repeating: "[", count: levels) + "0" + String(repeating: "]", count: levels))
    let depth = JSON.maximumDepth - 2
    let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let result = try overlaid(base, [#"[{"op":"replace","path":"\#(path)","value":\#(value)}]"#])
    #expect((result != nil) == (levels + depth <= JSON.maximumDepth))
  }

  @Test("Many patches, whatever they do, make what each of them makes")
  func applying() throws {
    var random = SeededGenerator()
    let base = try JSON.parse(Self.base)
    let operations = [
      #""op":"replace","path":"/a/0""#, #""op":"replace","path":"/a/1/x""#,
      #""op":"replace","path":"/b""#, #""op":"replace","path":"/b/c""#,
      #""op":"replace","path":"/e~1f""#, #""op":"add","path":"/z""#,
    ]
    for round in 0..<300 {
      // Some rounds have replacements only.
      let kinds = operations.prefix(round % 3 == 0 ? operations.count : operations.count - 1)
      let patches = try (0..<Int.random(in: 1...20, using: &random)).map { number in
        let operation = kinds.randomElement(using: &random) ?? ""
        let value = Bool.random(using: &random) ? "\(number)" : #"{"c":[\#(number)]}"#
        return try JSON.parse("[{\(operation),\"value\":\(value)}]")
      }
      let claim = "seed \(SeededGenerator.seed), round \(round)"
      let found = outcome { () throws(PatchError) in try base.applying(patches) }
      let expected = outcome { () throws(PatchError) in
        var draft = Draft(base)
        for patch in patches { try draft.apply(operations: patch) }
        return draft.json()
      }
      #expect(found == expected, "\(claim)")
    }
  }

  /// The text of a result and its tape, or the message of the error.
  private func outcome(_ body: () throws(PatchError) -> JSON) -> [String] {
    do throws(PatchError) {
      let result = try body()
      return [result.text, "\(nodes(of: result))"]
    } catch {
      return [error.message]
    }
  }
}
