import FluxCore
import TodoMVCExample

/// The list in the style of TodoMVC.
@Sendable func todoScreen(_ dispatcher: Dispatcher) -> String {
  let state = dispatcher[TodoStore.self]
  let rows = state.shown.map { "\($0.done ? "[x]" : "[ ]") \($0.id) \($0.title)" }
  return (rows + ["\(state.footer), showing \(state.filter.rawValue)"]).joined(separator: "\n")
}
