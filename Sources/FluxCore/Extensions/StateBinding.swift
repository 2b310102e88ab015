/// A value of a state that can be set: each write dispatches an action.
///
/// One line turns it into a binding of a user interface library:
/// `Binding(get: { draft.value }, set: { draft.value = $0 })`.
public struct StateBinding<Value: Sendable>: Sendable {
  private let read: @Sendable () -> Value
  private let write: @Sendable (Value) -> Void

  init(read: @escaping @Sendable () -> Value, write: @escaping @Sendable (Value) -> Void) {
    self.read = read
    self.write = write
  }

  /// The value in the state; setting it dispatches an action.
  public var value: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }
}

extension StoreHandle {
  /// Returns a binding of a value; each write dispatches an action.
  /// ```swift
  /// let draft = todos.binding(\.draft, TodoAction.draft)
  /// draft.value = "milk"
  /// ```
  ///
  /// - Parameters:
  ///   - select: Reads the value.
  ///   - action: Makes the action for a written value.
  ///   - file: The calling file; the compiler fills it in.
  ///   - line: The calling line; the compiler fills it in.
  /// - Returns: The binding.
  public func binding<Value: Sendable>(
    _ select: @escaping @Sendable (S.State) -> Value,
    _ action: @escaping @Sendable (Value) -> S.OwnAction,
    file: StaticString = #fileID, line: UInt = #line
  ) -> StateBinding<Value> {
    StateBinding(
      read: { select(state) },
      write: { dispatch(action($0), file: file, line: line) })
  }
}
