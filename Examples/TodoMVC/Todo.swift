public import FluxCore

/// An item of a todo list.
public struct Todo: StateValue, Identifiable {
  /// A number that is never reused in the list.
  public let id: Int
  /// The title; never blank.
  public var title: String
  /// `true` if the todo is done.
  public var done: Bool

  /// Creates a todo.
  ///
  /// - Parameters:
  ///   - id: A number that is never reused in the list.
  ///   - title: The title.
  ///   - done: `true` if the todo is done.
  public init(id: Int, title: String, done: Bool = false) {
    self.id = id
    self.title = title
    self.done = done
  }
}
