// The ways to read a store's state by the type of the store.

extension Model {
  /// The state of a store.
  ///
  /// The program stops with a message if the dispatcher does not have the store, or if it has several of the
  /// type and `id` is nil.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    guard let typed = snapshots[layout.requireIndex(of: type, id)].value as? S.State else {
      preconditionFailure("The layout finds stores by their types")
    }
    return typed
  }
}

extension ModelReader {
  /// The state of a store; the selector runs again when it changes.
  ///
  /// The program stops with a message if the dispatcher does not have the store, or if it has several of the
  /// type and `id` is nil.
  @inlinable
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    // The model keeps the snapshot alive. Counting a reference would take a third of the time of a read.
    unsafe snapshot(of: type, id)._withUnsafeGuaranteedRef { $0.state(as: S.State.self) }
  }
}

extension Send {
  /// The state of a store as of the last committed step.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State { model[type, id] }
}
