import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct ByteDeltaTests {
  struct Case: CustomTestStringConvertible {
    let old: String
    let new: String
    /// The edits as `unchanged-removed+inserted`.
    let edits: String
    var testDescription: String { "\(old) to \(new)" }
  }

  /// An array of eight numbered texts.
  private static func texts(_ numbers: Range<Int>) -> String {
    "[" + numbers.map { "\"text \($0)\"" }.joined(separator: ",") + "]"
  }

  @Test(
    "Only the bytes that differ are in a delta",
    arguments: [
      Case(old: "1", new: "1", edits: ""),
      Case(old: "1", new: "1.0", edits: "1-0+.0"),
      Case(old: "12", new: "1", edits: "1-1+"),
      Case(old: "[1, 2]", new: "[1,2]", edits: "3-1+"),
      Case(old: #"{"a":1,"b":2}"#, new: #"{"b":2,"a":1}"#, edits: #"2-6+ 4-0+,"a":1"#),
      Case(
        old: #"{"at":7,"lines":["one","two","three"]}"#,
        new: #"{"at":8,"lines":["one","two!","three"]}"#, edits: "6-1+8 20-0+!"),
      Case(
        old: #"{"at":7,"past":\#(texts(0..<8)),"x":[]}"#,
        new: #"{"at":8,"past":\#(texts(1..<9)),"x":[]}"#,
        edits: #"6-1+8 15-9+ 56-0+,"text 8""#),
      Case(old: texts(1..<9), new: texts(0..<8), edits: #"7-0+0","text  56-9+"#),
    ])
  func edits(_ given: Case) throws {
    let (old, new) = (try JSON.parse(given.old), try JSON.parse(given.new))
    let delta = ByteDelta(from: old, to: new)
    #expect(Self.readable(delta) == given.edits)
    #expect(Self.applied(delta, to: given.old) == given.new)
  }

  @Test("A delta restores the exact text of every random value", arguments: 0..<40)
  func random(_ round: Int) throws {
    var random = RandomJSON(round)
    for _ in 0..<50 {
      let old = try JSON.parse(random.value(depth: 4, width: 12))
      let new = try JSON.parse(random.edited(old, depth: 4))
      let delta = ByteDelta(from: old, to: new)
      #expect(
        Self.applied(delta, to: old.text) == new.text,
        "seed \(SeededGenerator.seed), round \(round): \(old.text) to \(new.text)")
      // Values inside a text have deltas of their own.
      let outer = try JSON.parse("[0,\(old.text),\(new.text)]")
      let (first, second) = (try #require(outer[1]), try #require(outer[2]))
      #expect(ByteDelta(from: first, to: second) == delta)
    }
  }

  private static func applied(_ delta: ByteDelta, to old: String) -> String {
    var text = Array(old.utf8)
    ByteDelta.apply(delta.bytes[...], to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The edits of a delta whose numbers are below 128.
  private static func readable(_ delta: ByteDelta) -> String {
    var edits: [String] = []
    var rest = delta.bytes[...]
    while rest.count >= 3 {
      let numbers = rest.prefix(3).map(Int.init)
      rest = rest.dropFirst(3)
      edits.append(
        "\(numbers[0])-\(numbers[1])+\(String(decoding: rest.prefix(numbers[2]), as: UTF8.self))")
      rest = rest.dropFirst(numbers[2])
    }
    return edits.joined(separator: " ")
  }
}
