/// Runs searches: a server in the app, a fake in its tests.
public protocol SearchEngine: Sendable {
  /// Searches for a keyword.
  ///
  /// - Parameter keyword: The keyword.
  /// - Returns: The results, the best first.
  /// - Throws: The error of an engine that cannot answer.
  func results(for keyword: String) async throws -> [String]
}
