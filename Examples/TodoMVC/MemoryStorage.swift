/// A storage that lasts as long as the program.
public actor MemoryStorage: TodoStorage {
  private var todos: [Todo]

  /// Creates a storage.
  ///
  /// - Parameter todos: What is in it at first.
  public init(_ todos: [Todo] = []) {
    self.todos = todos
  }

  /// Reads what was saved last.
  public func load() -> [Todo] { todos }

  /// Saves todos in place of those that were saved before.
  public func save(_ todos: [Todo]) {
    self.todos = todos
  }
}
