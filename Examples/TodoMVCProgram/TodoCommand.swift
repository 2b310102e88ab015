import ExampleProgram
import FluxCore
import TodoMVCExample

/// Parses a line: `add milk`, `toggle 1`, `show active`.
@Sendable func readTodoCommand(_ line: String) -> TerminalProgram.Command {
  guard let action = todoAction(line) else {
    return .unknown(
      usage: """
        add TITLE, toggle ID, rename ID TITLE, remove ID, all done|active, clear, \
        show all|active|completed, undo, redo, load, < (back), > (forward), ! (continue here)
        """)
  }
  return .dispatch(action)
}

private func todoAction(_ line: String) -> TodoAction? {
  var words = Words(line)
  switch words.next() {
  case "add": return .add(title: words.remainder())
  case "toggle": return words.number().map { .toggle(id: $0) }
  case "rename": return words.number().map { .rename(id: $0, title: words.remainder()) }
  case "remove": return words.number().map { .remove(id: $0) }
  case "all": return .toggleAll(done: words.next() == "done")
  case "clear": return .clearCompleted
  case "show": return TodoState.Filter(rawValue: words.next()).map { .show(filter: $0) }
  case "undo": return .undo
  case "redo": return .redo
  case "load": return .load
  default: return nil
  }
}
