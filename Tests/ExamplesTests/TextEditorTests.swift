import FluxCore
import Testing
import TextEditorExample

@Suite struct TextEditorTests {
  let editor = Dispatcher([TextStore()]).store(TextStore.self)

  private func edit(_ patches: [TextEdit]) -> Outcome {
    editor.dispatch(.edit(patches: patches))
  }

  @Test(
    "an edit replaces scalars, joins lines and splits them, and leaves the cursor behind it",
    arguments: [
      ("", TextEdit(at: 0, delete: 0, insert: "flux"), ["flux"], "0:4"),
      ("flux", TextEdit(at: 2, delete: 1, insert: "a\nb\n"), ["fla", "b", "x"], "2:0"),
      ("a\nb\nc", TextEdit(at: 1, delete: 3, insert: ""), ["ac"], "0:1"),
      ("a\nb", TextEdit(at: 1, delete: 1, insert: "\n\n"), ["a", "", "b"], "2:0"),
      ("a\nb", TextEdit(at: 3, delete: 0, insert: "\n"), ["a", "b", ""], "2:0"),
      ("é👍🏽\n", TextEdit(at: 2, delete: 1, insert: "!"), ["é👍!", ""], "0:3"),
      ("a\r\nb", TextEdit(at: 2, delete: 1, insert: ""), ["a\rb"], "0:2"),
    ])
  func replace(text: String, change: TextEdit, lines: [String], cursor: String) {
    if !text.isEmpty { _ = edit([TextEdit(at: 0, delete: 0, insert: text)]) }
    #expect(edit([change]).result == .changed)
    #expect(editor.lines == lines)
    #expect("\(editor.cursor.line):\(editor.cursor.column)" == cursor)
  }

  @Test(
    "an edit outside the text is rejected, together with those before it",
    arguments: [(-1, 0), (5, 0), (0, 5), (3, 2), (0, -1)])
  func reject(at: Int, delete: Int) {
    _ = edit([TextEdit(at: 0, delete: 0, insert: "flux")])
    let outcome = edit([
      TextEdit(at: 0, delete: 4, insert: "core"), TextEdit(at: at, delete: delete, insert: "!"),
    ])
    #expect(
      outcome.rejection?.message == "there are no \(delete) characters at \(at) of the text")
    #expect(editor.text == "flux")
  }

  @Test("the cursor moves within the text, and not beyond")
  func move() {
    _ = edit([TextEdit(at: 0, delete: 0, insert: "ab\ncd")])
    editor.dispatch(.move(to: 4))
    #expect(editor.cursor.line == 1)
    #expect(editor.cursor.column == 1)
    #expect(
      editor.dispatch(.move(to: 6)).rejection?.message == "the text has no position 6")
  }

  @Test("random edits are undone to the empty text and redone, up to the undo limit")
  func travel() {
    var generator = SplitMix64(seed: 20_260_101, step: 1)
    var texts = [editor.text]
    for _ in 0..<TextStore.undoLimit {
      let count = editor.text.unicodeScalars.count
      let at = Int.random(in: 0...count, using: &generator)
      let delete = Int.random(in: 0...min(6, count - at), using: &generator)
      let insert = ["a", "\n", "line\nline", "é👍🏽", ""].randomElement(using: &generator) ?? ""
      #expect(edit([TextEdit(at: at, delete: delete, insert: insert)]).result != .rejected)
      texts.append(editor.text)
    }
    for text in texts.dropLast().reversed() {
      editor.dispatch(.undo)
      #expect(editor.text == text)
    }
    for text in texts.dropFirst() {
      editor.dispatch(.redo)
      #expect(editor.text == text)
    }
    #expect(editor.dispatch(.redo).rejection?.message == "there is nothing to redo")
  }

  @Test("the oldest changes are dropped, so that a long session does not grow")
  func forget() {
    for _ in 0...TextStore.undoLimit { _ = edit([TextEdit(at: 0, delete: 0, insert: "a")]) }
    #expect(editor.undo.count == TextStore.undoLimit)
  }
}
