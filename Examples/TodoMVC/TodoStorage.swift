/// Where todos survive the app: a file, a server, memory in tests.
public protocol TodoStorage: Sendable {
  /// Reads what was saved last.
  ///
  /// - Returns: The todos; none where nothing was ever saved.
  /// - Throws: Whatever keeps the storage from answering.
  func load() async throws -> [Todo]

  /// Saves todos in place of those that were saved before.
  ///
  /// - Parameter todos: The todos.
  /// - Throws: Whatever keeps the storage from taking them.
  func save(_ todos: [Todo]) async throws
}
