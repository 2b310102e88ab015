import TestFixtures
import Testing

@testable import FluxJSON

@Suite("Pointer")
struct PointerTests {
  @Test(
    "A pointer is read, taken apart, put together and written",
    arguments: [
      ("", []), ("/", [""]), ("/a", ["a"]), ("/a/b", ["a", "b"]), ("/a~1b/m~0n", ["a/b", "m~n"]),
      ("/~01", ["~1"]), ("//", ["", ""]), ("/é/😀", ["é", "😀"]), ("/-/0", ["-", "0"]),
    ])
  func roundTrip(text: String, tokens: [String]) throws {
    let pointer = try Pointer(text)
    #expect(pointer.tokens == tokens)
    #expect(pointer.description == text)
    #expect(Pointer(tokens: tokens) == pointer)
    #expect(try pointer.appending(name: "a/b").description == Pointer(text + "/a~1b").description)
    #expect(pointer.appending(index: 3).parent == pointer)
  }

  @Test("Pointers are equal by code points, not as Swift compares characters")
  func equality() throws {
    #expect(try Pointer("/é") != Pointer("/e\u{301}"))
    #expect(try Pointer("/a") == Pointer("/a"))
  }

  @Test("A pointer is within another one at whole tokens")
  func within() throws {
    #expect(try Pointer("/a/b").isWithin(Pointer("/a")))
    #expect(try Pointer("/a").isWithin(Pointer("/a")))
    #expect(try Pointer("/a").isWithin(.root))
    #expect(try !Pointer("/ab").isWithin(Pointer("/a")))
    #expect(try !Pointer("/a").isWithin(Pointer("/a/b")))
  }

  @Test(
    "What is no pointer is refused",
    arguments: [
      ("a", "the JSON Pointer \"a\" does not start with '/'"),
      (
        "/a~",
        "the JSON Pointer \"/a~\" has a '~' at byte 2 without 0 or 1 after it;"
          + " '~' is written ~0 and '/' is written ~1"
      ),
      (
        "/~2",
        "the JSON Pointer \"/~2\" has a '~' at byte 1 without 0 or 1 after it;"
          + " '~' is written ~0 and '/' is written ~1"
      ),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: PointerError.self) { try Pointer(text) }
    #expect(error?.message == message)
  }

  @Test(
    "A pointer that leads nowhere says where it ends",
    arguments: [
      ("/x", #"the document has no member "x" (pointer "/x")"#),
      ("/list/x", #""/list" is an array, and "x" is not an index of one (pointer "/list/x")"#),
      ("/list/01", #""/list" is an array, and "01" is not an index of one (pointer "/list/01")"#),
      ("/list/2", #""/list" has 2 elements, and none at "2" (pointer "/list/2")"#),
      ("/list/-", #""/list" has 2 elements, and none at "-" (pointer "/list/-")"#),
      (
        "/list/99999999999999999999",
        #""/list" has 2 elements, and none at "99999999999999999999""#
          + #" (pointer "/list/99999999999999999999")"#
      ),
      ("/list/0/a", #""/list/0" is a number and holds no other values (pointer "/list/0/a")"#),
    ])
  func leadsNowhere(text: String, message: String) throws {
    let document = try JSON.parse(#"{"list":[1,2]}"#)
    let pointer = try Pointer(text)
    let error = #expect(throws: PointerError.self) { try document.value(at: pointer) }
    #expect(error?.message == message)
    // The same where the way there is spelled out.
    var draft = Draft(document)
    try draft.apply(operations: JSON.parse(#"[{"op":"replace","path":"/list/0","value":7}]"#))
    let again = #expect(throws: PointerError.self) { try draft.value(at: pointer) }
    #expect(again?.message == message)
  }

  @Test("Names with lone surrogates can be pointed at, and do not stand for each other")
  func surrogates() throws {
    let document = try JSON.parse(#"{"\ud800":1,"\ud801":2,"\ufffd":3}"#)
    let patch = try JSON.parse(#"[{"op":"replace","path":"/\ud801","value":9}]"#)
    let expected = try JSON.parse(#"{"\ud800":1,"\ud801":9,"\ufffd":3}"#)
    #expect(try document.applying([patch]) == expected)
    #expect(document.patch(to: expected).json() == patch)
  }

  @Test(
    "A patch tells without being applied what it could change",
    arguments: [
      (#"[{"op":"replace","path":"/a/b","value":1}]"#, "/a/b", true),
      (#"[{"op":"replace","path":"/a/b","value":1}]"#, "/a", true),
      (#"[{"op":"replace","path":"/a/b","value":1}]"#, "/a/b/c", true),
      (#"[{"op":"replace","path":"/a/b","value":1}]"#, "/a/bc", false),
      (#"[{"op":"replace","path":"","value":1}]"#, "/a", true),
      (#"[{"op":"replace","path":"/a/0","value":1}]"#, "/a/1", false),
      (#"[{"op":"add","path":"/a/0","value":1}]"#, "/a/1/x", true),
      (#"[{"op":"remove","path":"/a/2"}]"#, "/a/1", false),
      (#"[{"op":"remove","path":"/a/2"}]"#, "/a/10", true),
      (#"[{"op":"add","path":"/a/-","value":1}]"#, "/a/3", true),
      (#"[{"op":"add","path":"/a/b","value":1}]"#, "/a/3", false),
      (#"[{"op":"move","from":"/a/1","path":"/b"}]"#, "/a/2", true),
      (#"[{"op":"move","from":"/a/1","path":"/b"}]"#, "/c", false),
      (#"[{"op":"copy","from":"/a/1","path":"/b"}]"#, "/a/1", false),
      (#"[{"op":"test","path":"/a","value":1}]"#, "/a", false),
      (#"[{"op":"splice","path":"/a","at":0,"del":1,"ins":""}]"#, "/a", true),
      (#"[{"op":"?","path":"/a"}]"#, "/b", true), (#"{}"#, "/b", true), ("[]", "", false),
    ])
  func mayChange(operations: String, pointer: String, expected: Bool) throws {
    #expect(try Pointer(pointer).mayChange(by: JSON.parse(operations)) == expected)
  }

  @Test("What a patch changes, it could change")
  func changesAreForeseen() throws {
    for run in 0..<150 {
      var random = RandomJSON(40_000 + run)
      let old = try JSON.parse(random.value(depth: 4, width: 8))
      let new = try JSON.parse(random.edited(old))
      let patch = old.patch(to: new).json()
      for node in try Path("$..*").nodes(in: old) + Path("$..*").nodes(in: new) {
        let pointer = node.location.pointer
        guard found(pointer, in: old) != found(pointer, in: new) else { continue }
        #expect(
          pointer.mayChange(by: patch),
          "seed \(SeededGenerator.seed), run \(run): \(pointer) in \(old.text) to \(new.text)")
      }
    }
  }

  private func found(_ pointer: Pointer, in value: JSON) -> JSON? {
    do {
      return try value.value(at: pointer)
    } catch {
      return JSON?.none
    }
  }
}
