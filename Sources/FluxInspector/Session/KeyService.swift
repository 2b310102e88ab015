/// The keys that `browse` knows.
public enum Key: Sendable, Equatable {
  /// To the step before.
  case left
  /// To the step after.
  case right
  /// To the root action before.
  case up
  /// To the root action after.
  case down
  /// To the start.
  case home
  /// To the end.
  case end
}

/// Reads single keys from whoever sits before the terminal.
public protocol KeyService: Sendable {
  /// Hands out key by key, until one ends browsing or there are no more.
  ///
  /// - Throws: What `handle` throws, which ends it too.
  func read(_ handle: (Key) throws -> Void) throws
}
