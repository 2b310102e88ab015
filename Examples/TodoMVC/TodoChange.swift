public import FluxCore

/// A change of the list that a user can undo; it consists of one or more edits.
///
/// Undo keeps reverting edits instead of copies of the list, so that a state with many changes stays
/// small in a log.
public struct TodoChange: StateValue {
  /// One edit of the list.
  public enum Edit: StateValue {
    case insert(Todo, at: Int)
    case remove(at: Int)
    case replace(at: Int, with: Todo)
  }

  /// The edits, in order.
  public let edits: [Edit]

  /// Creates a change.
  ///
  /// - Parameter edits: The edits, in order.
  public init(_ edits: [Edit]) {
    self.edits = edits
  }
}

extension [Todo] {
  /// Applies a change.
  ///
  /// - Parameter change: A change that belongs to this list.
  /// - Returns: The change that reverts it.
  mutating func make(_ change: TodoChange) -> TodoChange {
    TodoChange(change.edits.map { make($0) }.reversed())
  }

  private mutating func make(_ edit: TodoChange.Edit) -> TodoChange.Edit {
    switch edit {
    case .insert(let todo, let index):
      insert(todo, at: index)
      return .remove(at: index)
    case .remove(let index):
      return .insert(remove(at: index), at: index)
    case .replace(let index, let todo):
      defer { self[index] = todo }
      return .replace(at: index, with: self[index])
    }
  }
}
