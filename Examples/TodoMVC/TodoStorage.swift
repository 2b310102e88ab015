/// Stores todos between runs of the app: a file, a server, memory in tests.
public protocol TodoStorage: Sendable {
  /// Loads the saved todos.
  ///
  /// - Returns: The todos; empty if nothing was saved before.
  /// - Throws: The error of a storage that cannot be read.
  func load() async throws -> [Todo]

  /// Saves todos and replaces the saved ones.
  ///
  /// - Parameter todos: The todos.
  /// - Throws: The error of a storage that cannot be written.
  func save(_ todos: [Todo]) async throws
}
