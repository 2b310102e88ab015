import FluxTerminal
import Testing

@testable import LineEditor

@Suite("Prompt")
struct PromptTests {
  @Test(
    "marks one escape where the style changes, and ends plain",
    arguments: [
      (Prompt("> "), ">  ", ">  "), (Prompt(""), " ", " "),
      (
        Prompt([.init("a", CellStyle(.green)), .init("b", CellStyle(.cyan))]),
        "\u{1}\u{1B}[0;32m\u{1}a\u{1}\u{1B}[0;36m\u{1}b\u{1}\u{1B}[0m\u{1} ", "ab "
      ),
      (
        Prompt([
          .init("a", CellStyle(.green)), .init("", CellStyle(.cyan)), .init("b", CellStyle(.green)),
        ]),
        "\u{1}\u{1B}[0;32m\u{1}ab\u{1}\u{1B}[0m\u{1} ", "ab "
      ),
      (Prompt([.init("a"), .init("b")]), "ab ", "ab "),
      // What moves the terminal is spelled out, and what has no column of its own is left out.
      (Prompt("a\nb\u{1}e\u{301}"), #"a\nb\u{1}e "#, #"a\nb\u{1}e "#),
    ])
  func renders(_ prompt: Prompt, _ edited: String, _ visible: String) {
    #expect(prompt.edited == edited)
    #expect(prompt.printed == edited.filter { $0 != "\u{1}" })
    #expect(prompt.visible == visible)
  }
}
