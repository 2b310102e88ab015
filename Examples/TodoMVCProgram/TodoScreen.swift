import ExampleProgram
import FluxCore
import TodoMVCExample

/// The list in the style of TodoMVC, as a view: it can show the list as it was.
@MainActor func todoView(_ dispatcher: Dispatcher) -> TerminalProgram.Screen {
  let list = dispatcher.store(TodoStore.self).observed { $0 }
  return {
    let state = list.value
    let rows = state.shown.map { "\($0.done ? "[x]" : "[ ]") \($0.id) \($0.title)" }
    return (rows + ["\(state.footer), showing \(state.filter.rawValue)"]).joined(separator: "\n")
  }
}
