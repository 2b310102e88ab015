/// What can be searched: a server in the app, a fake in its tests.
public protocol SearchEngine: Sendable {
  /// Searches.
  ///
  /// - Parameter keyword: What for.
  /// - Returns: What was found, the best first.
  /// - Throws: Whatever keeps the engine from answering.
  func results(for keyword: String) async throws -> [String]
}
