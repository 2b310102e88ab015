import Testing

@Suite struct HabitTests {
  @Test(
    "a bad habit is found",
    arguments: [
      "Returns the store, nil where there is none.",
      "Where there is none, the move ends.",
      "A value changes if it is another than before.",
      "Those are others than before.",
      "The order is another one in each process.",
      "It shows a path after moves no more.",
      "The index is made anew.",
      "The store is told of its queries.",
      "It goes so many steps from here.",
      "The branch, if that holds of it.",
      "The store comes to another state.",
      "It compares what became of a step.",
      "The recorder lets go of the state.",
      "The file bears its name.",
      "The other is likewise empty.",
      "It ends by itself.",
      "The recording goes on.",
      "It can be added just so.",
      "The feature goes away.",
    ])
  func found(_ text: String) throws {
    #expect(try findings(text).count == 1, "\(text)")
  }

  @Test(
    "plain words are left alone",
    arguments: [
      "Where is the log?",
      "The folder where the logs are kept.",
      "The app does not have it any more.",
      "There are no more than three.",
      "It differs from another step.",
      "The state holds one value.",
      "`nil where` is code, and so is ``anew``.",
      "| so many | cells of a table |",
      "See [the page](https://example.com/made-anew).",
    ])
  func notFound(_ text: String) throws {
    #expect(try findings(text) == [])
  }

  @Test("a finding says where it is, what was found, and what to write instead")
  func message() throws {
    #expect(
      try findings("# Title\n\nOne line.\nThe index is\nmade anew. Good.") == [
        "page.md:3: “anew” (again): The index is made anew."
      ])
  }

  @Test("a sentence of 40 words passes, one of 41 does not")
  func length() throws {
    let words = Array(repeating: "word", count: 39).joined(separator: " ")
    #expect(try findings("Forty \(words).") == [])
    #expect(try findings("Forty and \(words).").count == 1)
  }

  @Test("list items, headings and paragraphs are read one by one")
  func blocks() {
    let prose = Prose(
      markdown: """
        # A heading
        A paragraph
        on two lines. `code` begins a sentence (see [a link](page.md)).
        - an item
          of two lines
        - another item
        1. *First*

        ```sh
        make no sentence.
        ```
        <!-- A comment.
        -->
        | a | table. |
        The end.
        """)
    #expect(
      prose.sentences == [
        .init(text: "A heading", line: 1),
        .init(text: "A paragraph on two lines.", line: 2),
        .init(text: "Code begins a sentence (see a link).", line: 2),
        .init(text: "an item of two lines", line: 4),
        .init(text: "another item", line: 6),
        .init(text: "First", line: 7),
        .init(text: "The end.", line: 15),
      ])
  }

  @Test("the lines of a help text are read one by one, without examples")
  func help() {
    #expect(
      Prose(help: "Opens a log. Then it waits.\n  flux-inspect so many\nThe end").sentences == [
        .init(text: "Opens a log.", line: 1), .init(text: "Then it waits.", line: 1),
        .init(text: "The end", line: 3),
      ])
  }

  @Test("doc comments are found by their first word only")
  func docComments() {
    let swift = """
      /// Whether it is open.
      var isOpen: Bool
        /// The file.
        /// What it has is text.
        let file: URL
      // How it works.
      /// Whatever was read.
      """
    #expect(
      Habit.findings(inDocCommentsOf: swift, of: "Log.swift") == [
        "Log.swift:1: begin with the noun or the verb that matters: /// Whether it is open."
      ])
  }

  private func findings(_ markdown: String) throws -> [String] {
    try Habit.findings(in: Prose(markdown: markdown), of: "page.md")
  }
}
