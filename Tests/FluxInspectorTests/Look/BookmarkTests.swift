import Testing

@testable import FluxInspector

@Suite struct BookmarkTests {
  @Test("A bookmark leads back to where it was set")
  func bookmark() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("bookmarks") == """
        no bookmarks

        """)
    #expect(inspection.stops(["goto 7"]) == [7])
    #expect(
      try inspection.text("bookmark typed") == """
        $typed 7 search/type

        """)
    #expect(
      try inspection.json("bookmark typed") == """
        {"command":"bookmark typed","ok":true,"position":7,"result":{"name":"typed","step":7}}
        note: $typed was step 7 before

        """)
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("bookmark $typed") == """
        $typed 2 todo/saved
        note: $typed was step 7 before

        """)
    #expect(inspection.stops(["start"]) == [0])
    #expect(
      try inspection.text("bookmark a.b-c") == """
        $a.b-c 0 start

        """)
    #expect(
      try inspection.text("bookmarks") == """
        $typed 2 todo/saved
        $a.b-c 0 start

        """)
    #expect(
      try inspection.json("bookmarks") == """
        {"command":"bookmarks","ok":true,"position":0,"result":{"bookmarks":[{"name":"typed","step":2},{"name":"a.b-c","step":0}]}}

        """)
    #expect(inspection.stops(["goto $typed"]) == [2])
    #expect(
      try inspection.text("goto $typd") == """
        error: no bookmark $typd; did you mean $typed?

        """)
  }

  @Test("What is no name is a usage error")
  func names() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("bookmark 'a b'") == """
        error: bookmark: a b is not a name
        hint: a name begins with a letter or '_', and contains only letters, digits, '_', '-' and '.'

        """)
    #expect(
      try inspection.text("bookmark") == """
        error: bookmark: a name is missing
        hint: usage: bookmark NAME [POS] | -d NAME

        """)
    #expect(try inspection.exitCode("bookmark a..b") == 2)
  }
}
