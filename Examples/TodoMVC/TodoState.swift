public import FluxCore

/// The state of a todo list.
public struct TodoState: StateValue {
  /// The filter of the shown todos.
  public enum Filter: String, StateValue, CaseIterable {
    case all, active, completed
  }

  /// The progress of saving the list.
  public enum Saving: StateValue {
    case saved
    case inProgress
    case failed(reason: String)
  }

  /// The todos, in display order.
  public internal(set) var items: [Todo] = []
  /// The filter of the shown todos.
  public internal(set) var filter = Filter.all
  /// The state of saving.
  public internal(set) var saving = Saving.saved
  /// The changes that undo applies, the latest last.
  public internal(set) var undo: [TodoChange] = []
  /// The changes that redo applies, the next one last.
  public internal(set) var redo: [TodoChange] = []
  /// The identifier of the next new todo.
  public internal(set) var nextID = 1

  /// Creates an empty list.
  public init() {}

  /// The todos that match the filter.
  public var shown: [Todo] {
    switch filter {
    case .all: items
    case .active: items.filter { !$0.done }
    case .completed: items.filter(\.done)
    }
  }

  /// The number of todos that are not done: `2 items left`.
  public var footer: String {
    let left = items.filter { !$0.done }.count
    return left == 1 ? "1 item left" : "\(left) items left"
  }
}
