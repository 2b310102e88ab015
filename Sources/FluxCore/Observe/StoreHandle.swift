/// One store of a dispatcher: its state, its own actions, and its changes.
///
/// A handle is a light value that a view or a service can be given instead of the whole dispatcher.
/// ```swift
/// let todos = dispatcher.store(TodoStore.self)
/// todos.dispatch(.add(title: "milk"))
/// print(todos.items.count)
/// let receipt = todos.observe(\.items.count) { count in print("\(count) items") }
/// ```
@dynamicMemberLookup
public struct StoreHandle<S: Store>: Sendable {
  /// The dispatcher that the store is in.
  public let dispatcher: Dispatcher
  @usableFromInline let index: Int

  /// The identifier of the store.
  public var id: StoreID { dispatcher.engine.layout.ids[index] }

  /// The state as of the last committed step; never waits for a step that is under way.
  @inlinable public var state: S.State {
    dispatcher.engine.snapshot(at: index).state(as: S.State.self)
  }

  /// A part of the state.
  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<S.State, Value>) -> Value {
    state[keyPath: keyPath]
  }

  /// Dispatches one of the store's own actions to this store, and to every reaction to it.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  /// - Returns: What became of it; see ``Dispatcher/dispatch(_:to:file:line:)``.
  @inlinable
  @discardableResult
  public func dispatch(
    _ action: S.OwnAction, file: StaticString = #fileID, line: UInt = #line
  ) -> Outcome {
    let engine = dispatcher.engine
    return ActionReference.withReference(to: action) {
      engine.dispatch($0, to: id, at: index, file, line)
    }
  }

  /// Queues one of the store's own actions and returns at once.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  ///   - then: Called in the turn of the action with what became of it.
  public func enqueue(
    _ action: S.OwnAction, file: StaticString = #fileID, line: UInt = #line,
    then: (@Sendable (Outcome) -> Void)? = nil
  ) {
    dispatcher.enqueue(action, to: id, file: file, line: line, then: then)
  }

  /// Dispatches one of the store's own actions and waits for all that comes of it.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  /// - Returns: What became of it; see ``Dispatcher/run(_:to:file:line:)``.
  @discardableResult
  public func run(
    _ action: S.OwnAction, file: StaticString = #fileID, line: UInt = #line
  ) async -> Outcome {
    await dispatcher.run(action, to: id, file: file, line: line)
  }
}
