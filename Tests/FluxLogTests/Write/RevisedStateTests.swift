import TestFixtures
import Testing

@testable import FluxJSON
@testable import FluxLog

@Suite struct RevisedStateTests {
  /// The tape, but for what the parser may or may not know of the order of names.
  private func nodes(_ json: JSON) -> [[UInt32]] {
    json.document.withTape { tape in
      (0..<tape.count).map { place in
        let node = tape[place]
        return [node.start, node.end, node.next, node.info & ~JSONNode.sorted]
      }
    }
  }

  /// Parses both ways.
  private func expectSame(
    _ new: String, after old: String, _ claim: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let previous = try JSON.parse(old)
    let bytes = Array(new.utf8)
    var expected: (json: JSON?, error: JSONError?)
    do { expected.json = try JSON.parse(bytes) } catch { expected.error = error }
    do throws(JSONError) {
      let revised = try RevisedState(parsing: bytes, after: previous).json
      #expect(expected.error == nil, "\(claim): \(old) -> \(new)", sourceLocation: location)
      #expect(revised.text == expected.json?.text, "\(claim)", sourceLocation: location)
      #expect(
        nodes(revised) == expected.json.map(nodes), "\(claim): \(old) -> \(new)",
        sourceLocation: location)
    } catch {
      #expect(error == expected.error, "\(claim): \(old) -> \(new)", sourceLocation: location)
    }
  }

  @Test(
    "A text with one other value has the tape that parsing it whole gives",
    arguments: [
      (#"{"a":1,"b":[1,2,3]}"#, #"{"a":1,"b":[1,25,3]}"#),
      (#"{"a":1,"b":[1,2,3]}"#, #"{"a":1,"b":[1,2,3,4]}"#),
      (#"{"a":1,"b":[1,2,3]}"#, #"{"a":1,"b":[2,3]}"#),
      (#"{"a":1,"b":[1,2,3]}"#, #"{"a":1,"b":[1,{"x":[{}]},3]}"#),
      (#"{"a":[{"x":[{}]}],"b":2}"#, #"{"a":[0],"b":2}"#),
      (#"{"a":1}"#, #"{"a":1,"b":2}"#),
      (#"{"a":1}"#, #"{"b":1}"#),
      (#"{"a":1}"#, #"{"a":1}"#),
      (#"[1]"#, #"{"a":1}"#),
      (#"["a","b"]"#, #"["a,b"]"#),
      (#"["a","b"]"#, #"["a\",\"b"]"#),
      (#"[{"a":1},{"a":2}]"#, #"[{"a":1},{"a":2,"a":3}]"#),
      (#"[{"a":1,"a":2},3]"#, #"[{"a":1,"a":2},4]"#),
      (#"[1,2]"#, #"[1, 2]"#),
      (#"[1,2]"#, #"[1,2,]"#),
      (#"[1,2]"#, #"[1,]"#),
      (#"[1,[2]]"#, #"[1,[2}]"#),
      (#" [1,2] "#, #" [1,3] "#),
      ("1", "2"),
      ("[]", ""),
    ])
  func cases(_ old: String, _ new: String) throws {
    try expectSame(new, after: old)
  }

  @Test("What nests deeper than is allowed is refused where it is revised, too")
  func depth() throws {
    let inner = JSON.maximumDepth - 2
    func text(_ depth: Int) -> String {
      "[0,[" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "]]"
    }
    try expectSame(text(inner), after: text(1))
    try expectSame(text(inner + 1), after: text(1))
    #expect(throws: JSONError.self) {
      try RevisedState(parsing: Array(text(inner + 1).utf8), after: try JSON.parse(text(1)))
    }
  }

  @Test("Random texts with random bytes replaced are read as they are without the text before")
  func randomEdits() throws {
    var random = RandomJSON(71)
    let pieces = [
      "", "1", ",", "\"", "{", "}", "[", "]", ":", "\"a\"", "null", " ", "\\", "{\"a\":[]}", ",2",
    ]
    for round in 0..<3_000 {
      let old = random.value(depth: 4)
      var bytes = Array(old.utf8)
      let start = random.below(bytes.count + 1)
      let end = min(bytes.count, start + random.below(4))
      bytes.replaceSubrange(start..<end, with: pieces[random.below(pieces.count)].utf8)
      let new = String(decoding: bytes, as: UTF8.self)
      try expectSame(new, after: old, "seed \(SeededGenerator.seed), round \(round)")
    }
  }

  @Test("Random texts in which one text stands for another are read as without the text before")
  func randomValues() throws {
    var random = RandomJSON(72)
    for round in 0..<1_000 {
      let (head, tail) = (random.value(depth: 3), random.value(depth: 3))
      func text(_ middle: String) -> String { "{\"h\":\(head),\"m\":[\(middle)],\"t\":\(tail)}" }
      let (old, new) = (text(random.value(depth: 3)), text(random.value(depth: 3)))
      try expectSame(new, after: old, "seed \(SeededGenerator.seed), round \(round)")
    }
  }
}
