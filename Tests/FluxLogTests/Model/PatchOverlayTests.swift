import TestFixtures
import Testing

@testable import FluxJSON
@testable import FluxLog

@Suite struct PatchOverlayTests {
  private static let base =
    #"{"list":[{"a":1,"b":"x"},{"a":2,"b":"y"},[10,20]],"name":"n","od~d":{"/":0},"z":null}"#

  /// Returns the state from the overlay, and the state from applying the patches one by one.
  private func results(_ patches: [String]) throws -> (JSON?, JSON) {
    let start = try #require(try JSON.parse(#"{"other":[],"s":\#(Self.base)}"#)["s"])
    var draft = Draft(start)
    for patch in patches { try draft.apply(operations: try JSON.parse(patch)) }
    let applied = draft.json()
    let state = start.document.withTape { tape -> JSON? in
      guard var overlay = Overlay(start, on: tape) else { return nil }
      for (number, patch) in patches.enumerated() {
        guard take(patch, number, into: &overlay) else { return nil }
      }
      return overlay.json()
    }
    return (state, applied)
  }

  private func take(_ patch: String, _ number: Int, into overlay: inout Overlay) -> Bool {
    let line = SampleLog.summed(
      #"{"n":\#(number),"t":1.000000,"action":{"type":"x"},"patches":{"s":\#(patch)}}"#)
    let bytes = Array(line.utf8)
    return unsafe bytes.withUnsafeBytes { buffer in
      var finder = PatchFinder("s")
      guard let line = unsafe StepLine(JSONBytes(buffer), firstOf: 0..<bytes.count),
        let replacement = finder.replacement(in: line)
      else { return false }
      return overlay.replace(at: replacement.path, with: replacement.value, of: line.bytes)
    }
  }

  private func replace(_ path: String, _ value: String) -> String {
    #"[{"op":"replace","path":"\#(path)","value":\#(value)}]"#
  }

  @Test(
    "Replaced values stand in the place of the ones before",
    arguments: [
      ([], base),
      (
        [("/z", "1")],
        #"{"list":[{"a":1,"b":"x"},{"a":2,"b":"y"},[10,20]],"name":"n","od~d":{"/":0},"z":1}"#
      ),
      (
        [("/list/0/a", "5"), ("/list/1/b", #""long text""#), ("/list/0/a", "6")],
        #"{"list":[{"a":6,"b":"x"},{"a":2,"b":"long text"},[10,20]],"name":"n","od~d":{"/":0},"z":null}"#
      ),
      (
        [("/list/2/1", "[[],{}]"), ("/od~0d/~1", #"{"k":[1]}"#), ("/name", #""\u00e9""#)],
        #"{"list":[{"a":1,"b":"x"},{"a":2,"b":"y"},[10,[[],{}]]],"name":"\u00e9","od~d":{"/":{"k":[1]}},"z":null}"#
      ),
      (
        [("/list/0/a", "5"), ("/list/0", "[1]"), ("/z", "{}")],
        #"{"list":[[1],{"a":2,"b":"y"},[10,20]],"name":"n","od~d":{"/":0},"z":{}}"#
      ),
      (
        [("/list/0/a", "5"), ("/list", "0")],
        #"{"list":0,"name":"n","od~d":{"/":0},"z":null}"#
      ),
    ] as [([(String, String)], String)])
  func replaced(values: [(String, String)], expected: String) throws {
    let (state, applied) = try results(values.map { replace($0.0, $0.1) })
    #expect(state?.text == expected)
    #expect(applied.text == expected)
  }

  @Test("The tape equals that of the parsed text")
  func tape() throws {
    let patches = [
      replace("/list/1/b", #"{"deep":[1,{"x":[]}]}"#), replace("/list/2/0", "[]"),
      replace("/list/2/1", #""""#), replace("/od~0d", #"{"b":1,"a":2}"#),
    ]
    let state = try #require(try results(patches).0)
    let parsed = try JSON.parse(state.text)
    #expect(nodes(of: state) == nodes(of: parsed))
  }

  private func nodes(of value: JSON) -> [[UInt32]] {
    value.document.withTape { tape in
      (0..<tape.count).map { [tape[$0].start, tape[$0].end, tape[$0].next, tape[$0].info] }
    }
  }

  @Test(
    "What else patches do is left to those who apply them",
    arguments: [
      #"[{"op":"add","path":"/z","value":1}]"#, #"[{"op":"remove","path":"/z"}]"#,
      #"[{"op":"replace","path":"","value":1}]"#, #"[{"op":"replace","value":1,"path":"/z"}]"#,
      #"[{"op":"replace","path":"/z","value":1},{"op":"replace","path":"/name","value":2}]"#,
      #"[{"op":"replace","path":"/z","value": 1}]"#,
      #"[{"op":"replace","path":"/\u007a","value":1}]"#,
      #"[{"op":"replace","path":"/z","value":1,"x":2}]"#,
      #"[{"op":"replace","path":"/z","value":{"a":1,"a":2}}]"#, "[]",
    ])
  func others(patch: String) throws {
    #expect(try results([replace("/name", "0"), patch]).0 == nil)
  }

  @Test("Members of a large object are found", arguments: [true, false])
  func wide(isSorted: Bool) throws {
    let names = (100..<150).map { "k\($0)" }
    let members = { (changes: [String: String]) in
      (isSorted ? names : names.reversed()).map { #""\#($0)":\#(changes[$0] ?? "0")"# }
    }
    let base = try JSON.parse("{\(members([:]).joined(separator: ","))}")
    let state = base.document.withTape { tape -> JSON? in
      guard var overlay = Overlay(base, on: tape) else { return nil }
      for (path, value) in [("/k100", "1"), ("/k149", "2"), ("/k123", "3"), ("/k100", "4")] {
        guard replace(path, value, in: &overlay) else { return nil }
      }
      #expect(!replace("/k150", "5", in: &overlay))
      #expect(!replace("/k1", "5", in: &overlay))
      return overlay.json()
    }
    let expected = members(["k100": "4", "k149": "2", "k123": "3"]).joined(separator: ",")
    #expect(state?.text == "{\(expected)}")
  }

  private func replace(_ path: String, _ value: String, in overlay: inout Overlay) -> Bool {
    let bytes = Array((path + value).utf8)
    let end = path.utf8.count
    return bytes.withView { overlay.replace(at: 0..<end, with: end..<bytes.count, of: $0) }
  }

  @Test("A path into a replaced value ends the overlay")
  func inside() throws {
    #expect(try results([replace("/list/0", #"{"a":1}"#), replace("/list/0/a", "2")]).0 == nil)
  }

  @Test("Random replacements give the same state as applying them")
  func random() throws {
    var random = SeededGenerator()
    let paths = [
      "/list", "/list/0", "/list/0/a", "/list/0/b", "/list/1", "/list/2/1", "/name", "/z",
    ]
    let values = ["1", #""text""#, "[]", #"{"a":1,"b":2}"#, "[1,[2,3],4]", "null"]
    for round in 0..<500 {
      var patches: [String] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let path = paths.randomElement(using: &random) ?? ""
        patches.append(replace(path, values.randomElement(using: &random) ?? ""))
      }
      let found: (state: JSON?, applied: JSON)
      do {
        found = try results(patches)
      } catch is PatchError {
        // A path that an earlier replacement removed.
        continue
      }
      guard let state = found.state else { continue }
      let applied = found.applied
      let claim = "seed \(SeededGenerator.seed), round \(round): \(patches)"
      #expect(state.text == applied.text, "\(claim)")
      #expect(nodes(of: state) == nodes(of: try JSON.parse(state.text)), "\(claim)")
    }
  }
}
