/// A value of a state that can be written: each write dispatches an action.
///
/// It has the shape of the bindings of user interface libraries, and becomes one in one line, as in
/// `Binding(get: { draft.value }, set: { draft.value = $0 })`.
public struct StateBinding<Value: Sendable>: Sendable {
  private let read: @Sendable () -> Value
  private let write: @Sendable (Value) -> Void

  init(read: @escaping @Sendable () -> Value, write: @escaping @Sendable (Value) -> Void) {
    self.read = read
    self.write = write
  }

  /// The value in the state; what is written is dispatched.
  public var value: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }
}

extension StoreHandle {
  /// A value of the state whose writes become actions.
  /// ```swift
  /// let draft = todos.binding(\.draft, TodoAction.draft)
  /// draft.value = "milk"
  /// ```
  ///
  /// - Parameters:
  ///   - select: Reads the value.
  ///   - action: Makes the action of a written value.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
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
