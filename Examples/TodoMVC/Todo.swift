public import FluxCore

/// One thing to do.
public struct Todo: StateValue, Identifiable {
  /// A number that no other todo of the list ever had.
  public let id: Int
  /// What there is to do; never blank.
  public var title: String
  /// Whether it is done.
  public var done: Bool

  /// Creates a todo.
  ///
  /// - Parameters:
  ///   - id: A number that no other todo of the list ever had.
  ///   - title: What there is to do.
  ///   - done: Whether it is done.
  public init(id: Int, title: String, done: Bool = false) {
    self.id = id
    self.title = title
    self.done = done
  }
}
