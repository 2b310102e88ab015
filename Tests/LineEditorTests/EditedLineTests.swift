import Testing

@testable import LineEditor

@Suite("Line buffer")
struct EditedLineTests {
  @Test("replaces a part, and puts the cursor behind it")
  func replaces() {
    let line = EditedLine("日本 x")
    let range = line.text.startIndex..<line.text.index(after: line.text.startIndex)
    let result = line.replacing(range, with: "ab")
    #expect(result == EditedLine("ab本 x", cursorByte: 2))
    #expect(result.beforeCursor == "ab")
    #expect(result.cursorScalar == 2)
  }

  @Test("counts the cursor in scalars, and keeps it inside")
  func counts() {
    #expect(EditedLine("e\u{301}日", cursorByte: 3).cursorScalar == 2)
    #expect(EditedLine("ab", cursorByte: 9).cursorScalar == 2)
    #expect(EditedLine("").cursorScalar == 0)
  }
}
