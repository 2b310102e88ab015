import Testing

@Suite struct DocumentTests {
  private let document = Document(
    path: "docs/page.md",
    text: """
      # A page, and `code`

      See [this](other.md#part) and ![a picture](images/a.svg), not `[code](none.md)`.

      ```console outside
      $ ls # [no link](none.md)
      ```

      ## Part
      ## Part
      """)

  @Test("blocks have a language, what is said of them, and a place")
  func blocks() throws {
    let block = try #require(document.blocks.first)
    #expect(document.blocks.count == 1)
    #expect(block.language == "console")
    #expect(block.isOutside)
    #expect(block.lines == ["$ ls # [no link](none.md)"])
    #expect(block.number == 6)
  }

  @Test("the documentation comments of a Swift file have blocks too")
  func comments() {
    let document = Document(
      path: "Sources/Keyed.swift",
      text: """
        // Not documentation: ```swift
        enum Keyed {
          /// Elements, for example:
          /// ```swift
          /// if true {
          ///   keyed.append(1)
          /// }
          /// ```
          func append() {}
        }
        """)
    #expect(document.blocks.map(\.lines) == [["if true {", "  keyed.append(1)", "}"]])
    #expect(document.blocks.map(\.number) == [5])
  }

  @Test("headings are found by the names that GitHub gives them")
  func anchors() {
    #expect(document.anchors == ["a-page-and-code", "part", "part-1"])
  }

  @Test("links are those of the prose")
  func links() {
    #expect(
      document.links == [
        .init(target: "other.md#part", number: 3), .init(target: "images/a.svg", number: 3),
      ])
  }
}
