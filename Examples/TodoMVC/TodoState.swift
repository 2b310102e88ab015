public import FluxCore

/// A list of things to do, and how it is looked at.
public struct TodoState: StateValue {
  /// Which todos are shown.
  public enum Filter: String, StateValue, CaseIterable {
    case all, active, completed
  }

  /// How far the list on the screen and the saved one are apart.
  public enum Saving: StateValue {
    case saved
    case inProgress
    case failed(reason: String)
  }

  /// The todos, in the order of the screen.
  public internal(set) var items: [Todo] = []
  /// Which of them are shown.
  public internal(set) var filter = Filter.all
  /// Whether the items are saved.
  public internal(set) var saving = Saving.saved
  /// What undoes the latest changes, the latest last.
  public internal(set) var undo: [TodoChange] = []
  /// What does the changes again that were undone, the next last.
  public internal(set) var redo: [TodoChange] = []
  /// The identifier that the next new todo gets.
  public internal(set) var nextID = 1

  /// Creates an empty list.
  public init() {}

  /// The todos that the filter lets through.
  public var shown: [Todo] {
    switch filter {
    case .all: items
    case .active: items.filter { !$0.done }
    case .completed: items.filter(\.done)
    }
  }

  /// How many todos are not done: `2 items left`.
  public var footer: String {
    let left = items.filter { !$0.done }.count
    return left == 1 ? "1 item left" : "\(left) items left"
  }
}
