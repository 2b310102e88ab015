public import FluxCore

/// A change of the list that a user can undo: one edit, or several at once.
///
/// Undo keeps the edits that lead back, not copies of the list, so that a state with a long past stays
/// small in a log.
public struct TodoChange: StateValue {
  /// One edit of the list.
  public enum Edit: StateValue {
    case insert(Todo, at: Int)
    case remove(at: Int)
    case replace(at: Int, with: Todo)
  }

  /// The edits, in the order in which they are made.
  public let edits: [Edit]

  /// Creates a change.
  ///
  /// - Parameter edits: The edits, in the order in which they are made.
  public init(_ edits: [Edit]) {
    self.edits = edits
  }
}

extension [Todo] {
  /// Makes a change.
  ///
  /// - Parameter change: A change that was made for this list.
  /// - Returns: The change that leads back.
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
