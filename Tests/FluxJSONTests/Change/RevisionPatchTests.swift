import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct RevisionPatchTests {
  /// The patch that takes no comparison.
  private func patch(from old: JSON, to new: [UInt8]) -> String? {
    JSONRevision(new, after: old)?.patchText(from: old).map { String(decoding: $0, as: UTF8.self) }
  }

  private func patch(from old: String, to new: String) throws -> String? {
    patch(from: try JSON.parse(old), to: Array(new.utf8))
  }

  @Test(
    "One scalar that is another one is replaced",
    arguments: [
      (#"{"a":1,"b":[1,2,3]}"#, #"{"a":1,"b":[1,25,3]}"#, "/b/1", "25"),
      (#"{"a":{"is":false}}"#, #"{"a":{"is":true}}"#, "/a/is", "true"),
      (#"{"a":"x","b":null}"#, #"{"a":"x","b":"y"}"#, "/b", #""y""#),
      (#"{"a":"old"}"#, #"{"a":"twelve bytes"}"#, "/a", #""twelve bytes""#),
      (#"[[],[{"n":1,"id":1}]]"#, #"[[],[{"n":2,"id":1}]]"#, "/1/0/n", "2"),
      (#"{"a":[]}"#, #"{"a":0}"#, "/a", "0"),
      (#"{"a":0}"#, #"{"a":{"b":[1]}}"#, "/a", #"{"b":[1]}"#),
    ])
  func scalar(_ old: String, _ new: String, _ path: String, _ value: String) throws {
    #expect(
      try patch(from: old, to: new)
        == #"[{"op":"replace","path":"\#(path)","value":\#(value)}]"#)
  }

  @Test("A number that is written in another way is no change")
  func equal() throws {
    #expect(try patch(from: #"{"n":1}"#, to: #"{"n":1.0}"#) == "[]")
  }

  @Test(
    "What takes a comparison is left to one",
    arguments: [
      (#"[{"id":1}]"#, #"[{"id":2}]"#),
      (#"{"a":"a longer text"}"#, #"{"a":"another longer text"}"#),
      (#"{"a":"\n"}"#, #"{"a":"\t"}"#),
      (#"{"id":1,"n":2}"#, #"{"id":2,"n":2}"#),
      (#"{"a/b":1}"#, #"{"a/b":2}"#),
      (#"{"a~b":[1]}"#, #"{"a~b":[2]}"#),
      (#"{"a\nb":1}"#, #"{"a\nb":2}"#),
    ])
  func comparison(_ old: String, _ new: String) throws {
    let revision = try #require(JSONRevision(Array(new.utf8), after: try JSON.parse(old)))
    #expect(revision.soleChange != nil)
    #expect(try patch(from: old, to: new) == nil)
  }

  @Test("A revision of another value has no patch")
  func other() throws {
    let (old, same) = (try JSON.parse("[1,2]"), try JSON.parse("[1,2]"))
    let revision = try #require(JSONRevision(Array("[1,3]".utf8), after: old))
    #expect(revision.patchText(from: same) == nil)
    #expect(revision.patchText(from: old) != nil)
  }

  @Test("The patch is the one that a comparison finds, for random values in random places")
  func random() throws {
    var random = RandomJSON(73)
    var found = 0
    for round in 0..<4_000 {
      var bytes = Array(random.value(depth: 4).utf8)
      let old = try JSON.parse(bytes)
      let places = bytes.indices.filter {
        bytes[$0] >= UInt8(ascii: "0") && bytes[$0] <= UInt8(ascii: "9")
      }
      guard !places.isEmpty else { continue }
      let place = places[random.below(places.count)]
      bytes.replaceSubrange(
        place...place,
        with: ["7", "true", "null", "\"x\"", "[1]", "18", "9.0"][random.below(7)].utf8)
      guard let new = parsed(bytes), let patch = patch(from: old, to: bytes) else { continue }
      found += 1
      #expect(
        patch == old.patch(to: new).json().text,
        "seed \(SeededGenerator.seed), round \(round): \(old.text) -> \(new.text)")
    }
    #expect(found > 500)
  }

  /// Most edits of bytes leave no JSON.
  private func parsed(_ bytes: [UInt8]) -> JSON? {
    do throws(JSONError) { return try JSON.parse(bytes) } catch { return nil }
  }
}
