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
  /// Waits for a key; nil for one that ends browsing, and where there are no more.
  func next() -> Key?
}
