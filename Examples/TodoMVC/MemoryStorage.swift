/// A storage in memory.
public actor MemoryStorage: TodoStorage {
  private var todos: [Todo]

  /// Creates a storage.
  ///
  /// - Parameter todos: The initial content.
  public init(_ todos: [Todo] = []) {
    self.todos = todos
  }

  /// Loads the saved todos.
  public func load() -> [Todo] { todos }

  /// Saves todos and replaces the saved ones.
  public func save(_ todos: [Todo]) {
    self.todos = todos
  }
}
