import Testing

@testable import LineEditor

@Suite("Completion step")
struct CompletionStepTests {
  private func step(_ text: String, _ candidates: [String]) -> CompletionStep {
    let line = EditedLine(text)
    let start = text.lastIndex(of: " ").map { text.index(after: $0) } ?? text.startIndex
    return CompletionStep(
      Completions(
        replacing: start..<text.endIndex, with: candidates.map { Completions.Candidate($0) }),
      in: line)
  }

  @Test(
    "puts in what is certain",
    arguments: [
      ("p", ["print"], "print "), ("show p", ["path", "paths"], "show path"),
      ("", ["日本語", "日本人"], "日本"), ("X", ["xylophone"], "xylophone "),
    ] as [(String, [String], String)])
  func replaces(_ text: String, _ candidates: [String], _ expected: String) {
    #expect(step(text, candidates) == .replace(EditedLine(expected)))
  }

  @Test("lists where nothing more is certain, and beeps without candidates")
  func lists() {
    #expect(step("p", ["path", "print"]) == .list([.init("path"), .init("print")]))
    #expect(step("", ["a", "b"]) == .list([.init("a"), .init("b")]))
    // What would only shorten the word, or cut a character apart, is not put in.
    #expect(step("pX", ["path", "print"]) == .list([.init("path"), .init("print")]))
    #expect(step("", ["e\u{301}", "e"]) == .list([.init("e\u{301}"), .init("e")]))
    #expect(step("q", []) == .beep)
  }

  @Test("keeps what stands behind the cursor")
  func keepsTheRest() {
    let text = "pr | jq"
    let cursor = text.index(text.startIndex, offsetBy: 2)
    let line = EditedLine(text, cursor: cursor)
    let completions = Completions(
      replacing: text.startIndex..<cursor, with: [.init("print", suffix: "")])
    #expect(
      CompletionStep(completions, in: line) == .replace(EditedLine("print | jq", cursorByte: 5)))
  }
}
