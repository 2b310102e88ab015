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
}
