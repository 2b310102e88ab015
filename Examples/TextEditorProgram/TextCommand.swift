import ExampleProgram
import FluxCore
import FluxJSON
import FluxLog
import TextEditorExample

/// A line of a trace of real writing: `{"seq":1,"time":"…","action":{"type":"edit","patches":[[0,0,"a"]]}}`.
private struct TraceLine: Decodable {
  struct Edit: Decodable {
    let patches: [TextEdit]
  }

  let action: Edit
}

/// Parses a line of a trace, or `insert 0 text`, `delete 0 4`, `move 3`.
@Sendable func readTextCommand(_ line: String) throws -> TerminalProgram.Command {
  if line.hasPrefix("{") {
    let trace = try LogDecoder().decode(TraceLine.self, from: JSON.parse(line))
    return .dispatch(TextAction.edit(patches: trace.action.patches))
  }
  guard let action = textAction(line) else {
    return .unknown(
      usage: "insert AT TEXT, delete AT COUNT, move TO, undo, redo, and lines of a trace")
  }
  return .dispatch(action)
}

private func textAction(_ line: String) -> TextAction? {
  var words = Words(line)
  switch words.next() {
  case "insert":
    return words.number().map { at in
      .edit(patches: [TextEdit(at: at, delete: 0, insert: words.remainder())])
    }
  case "delete":
    guard let at = words.number(), let count = words.number() else { return nil }
    return .edit(patches: [TextEdit(at: at, delete: count, insert: "")])
  case "move": return words.number().map { .move(to: $0) }
  case "undo": return .undo
  case "redo": return .redo
  default: return nil
  }
}
