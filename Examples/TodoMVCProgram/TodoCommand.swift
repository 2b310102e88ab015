import ExampleProgram
import FluxCore
import TodoMVCExample

/// Parses a line: `add milk`, `toggle 1`, `show active`.
@Sendable func readTodoCommand(_ line: String) -> TerminalProgram.Command {
  command(line)
    ?? .unknown(
      usage: """
        add TITLE, toggle ID, rename ID TITLE, remove ID, all done|active, clear, \
        show all|active|completed, undo, redo, load, < (back), > (forward), ! (continue here)
        """)
}

/// Passes on the line of each command, so a recording names it.
private func dispatch(
  _ action: TodoAction, file: StaticString = #fileID, line: UInt = #line
) -> TerminalProgram.Command {
  .dispatch(action, file: file, line: line)
}

private func command(_ line: String) -> TerminalProgram.Command? {
  var words = Words(line)
  switch words.next() {
  case "add": return dispatch(.add(title: words.remainder()))
  case "toggle": return words.number().map { dispatch(.toggle(id: $0)) }
  case "rename": return words.number().map { dispatch(.rename(id: $0, title: words.remainder())) }
  case "remove": return words.number().map { dispatch(.remove(id: $0)) }
  case "all": return dispatch(.toggleAll(done: words.next() == "done"))
  case "clear": return dispatch(.clearCompleted)
  case "show": return TodoState.Filter(rawValue: words.next()).map { dispatch(.show(filter: $0)) }
  case "undo": return dispatch(.undo)
  case "redo": return dispatch(.redo)
  case "load": return dispatch(.load)
  default: return nil
  }
}
