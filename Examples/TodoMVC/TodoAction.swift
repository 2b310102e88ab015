public import FluxCore

/// The actions of a todo list.
public enum TodoAction: Action, Equatable {
  case add(title: String)
  case toggle(id: Int)
  case rename(id: Int, title: String)
  case remove(id: Int)
  /// Marks all todos as done, or all as not done.
  case toggleAll(done: Bool)
  case clearCompleted
  case show(filter: TodoState.Filter)
  case undo
  case redo
  /// Loads the saved todos.
  case load
  case loaded(items: [Todo])
  case failedToLoad(reason: String)
  case saved
  case failedToSave(reason: String)
}
