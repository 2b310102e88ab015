import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct JSONRevisionTests {
  /// The tape, without the order of names, which the parser may know or not.
  private func nodes(_ json: JSON) -> [[UInt32]] {
    json.document.withTape { tape in
      (0..<tape.count).map { place in
        let node = tape[place]
        return [node.start, node.end, node.next, node.info & ~JSONNode.sorted]
      }
    }
  }

  /// Expects the tape of the whole text, or none; returns `true` if the text was revised.
  private func expectSame(
    _ new: String, after old: String, granularity: Int, _ claim: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    let bytes = Array(new.utf8)
    let revised = JSONRevision(bytes, after: try JSON.parse(old), granularity: granularity)?.json
    guard let revised else { return false }
    let message = "\(claim): \(old) -> \(new)"
    let whole = try? JSON.parse(bytes)
    #expect(revised.text == whole?.text, "\(message)", sourceLocation: location)
    #expect(nodes(revised) == whole.map(nodes), "\(message)", sourceLocation: location)
    return true
  }

  @Test(
    "A text with a few other values is not parsed whole",
    arguments: [
      (#"{"a":1,"b":["x","y"],"c":[]}"#, #"{"a":12,"b":["x","yy"],"c":[1,2]}"#, true),
      (#"{"a":[1,2],"b":"x","c":[[3]]}"#, #"{"a":[2,3,4],"b":"","c":[[],3]}"#, true),
      (#"[[1,"a"],[2,"b"],[3,"c"]]"#, #"[[0,"a"],{"b":2},[3,"c",4]]"#, true),
      (#"[{"a":{"b":1}},{"c":2}]"#, #"[{"a":{"b":[1]}},{"c":{}}]"#, true),
      (#"["a\"b",1]"#, #"["a\\",12]"#, true),
      ("[1,2]", "[1,2]", true),
      // The whole text is another one.
      (#"[1,2,3]"#, #"[1,2]"#, false),
      (#"{"a":1}"#, #"{"b":1}"#, false),
      ("1", "2", false),
      // Not JSON, or a name twice.
      (#"[1,[2],3]"#, #"[1,[2,],4]"#, false),
      (#"[1,"2",3]"#, #"[1,"2,4]"#, false),
      (#"[{"a":1},2]"#, #"[{"a":1,"a":2},2]"#, false),
      (#"[{"a":1,"a":1},2]"#, #"[{"a":1,"a":1},3]"#, false),
    ])
  func cases(_ old: String, _ new: String, _ isRevised: Bool) throws {
    #expect(try expectSame(new, after: old, granularity: 1) == isRevised)
  }

  @Test(
    "Whether it was revised or parsed whole, a text after another one is read as alone",
    arguments: [
      (#"{"a":1,"b":[1,2,3]}"#, #"{"a":1,"b":[1,25,3]}"#),
      (#"{"a":1,"b":[1,2,3]}"#, #"{"a":1,"b":[1,{"x":[{}]},3]}"#),
      (#"{"a":[{"x":[{}]}],"b":2}"#, #"{"a":[0],"b":2}"#),
      (#"{"a":1}"#, #"{"a":1,"b":2}"#),
      (#"[1]"#, #"{"a":1}"#),
      (#"["a","b"]"#, #"["a,b"]"#),
      (#"["a","b"]"#, #"["a\",\"b"]"#),
      (#"[1,2]"#, #"[1, 2]"#),
      (#"[1,2]"#, #"[1,2,]"#),
      (#"[1,[2]]"#, #"[1,[2}]"#),
      (#" [1,2] "#, #" [1,3] "#),
      ("[]", ""),
      (nested(1), nested(JSON.maximumDepth - 2)),
      (nested(1), nested(JSON.maximumDepth - 1)),
    ])
  func parsed(_ old: String, _ new: String) throws {
    let previous = try JSON.parse(old)
    func result(_ parse: () throws(JSONError) -> JSON) -> ([[UInt32]]?, JSONError?) {
      do throws(JSONError) { return (nodes(try parse()), nil) } catch { return (nil, error) }
    }
    let alone = result { () throws(JSONError) in try JSON.parse(Array(new.utf8)) }
    let after = result { () throws(JSONError) in
      if let revision = JSONRevision(Array(new.utf8), after: previous) { return revision.json }
      return try JSON.parse(new)
    }
    #expect(alone == after)
  }

  /// An array in an array, with more of them inside it.
  private static func nested(_ depth: Int) -> String {
    "[0,[" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "]]"
  }

  @Test("Random changes of random texts give the tape of the whole text", arguments: [1, 20, 200])
  func random(_ granularity: Int) throws {
    var random = RandomJSON(granularity)
    let pieces = ["", "1", ",", "\"", "{", "]", "\"a\"", "null", " ", "\\", "{\"a\":[]}", ",2"]
    var count = 0
    for round in 0..<2_000 {
      let claim = "seed \(SeededGenerator.seed), round \(round)"
      let (old, edited) = (random.value(depth: 5), random.value(depth: 2))
      func text(_ value: String, _ middle: String) -> String {
        "{\"a\":\(middle),\"b\":[0,\(value),\(middle)],\"c\":\(old)}"
      }
      let (before, after) = (text(old, random.value(depth: 2)), text(edited, edited))
      if try expectSame(after, after: before, granularity: granularity, claim) { count += 1 }
      var bytes = Array(before.utf8)
      for _ in 0...random.below(3) {
        let start = random.below(bytes.count + 1)
        let end = min(bytes.count, start + random.below(4))
        bytes.replaceSubrange(start..<end, with: pieces[random.below(pieces.count)].utf8)
      }
      _ = try expectSame(
        String(decoding: bytes, as: UTF8.self), after: before, granularity: granularity, claim)
    }
    #expect(count > 1_000)
  }
}
