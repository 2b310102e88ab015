extension StoreHandle {
  /// Calls back after every step that changes the store.
  ///
  /// The callback runs in the turn of the step, on the thread of whoever dispatched; what it dispatches is
  /// queued. Observers run in the order in which they were registered.
  ///
  /// - Parameter callback: Gets the state before and after, the step and its action.
  /// - Returns: The receipt; the observation ends with it.
  @inlinable
  public func onChange(_ callback: @escaping @Sendable (Change<S.State>) -> Void) -> Receipt {
    let cancellation = Cancellation()
    let observer = Observer(cancellation) { event in
      callback(
        Change(
          old: event.old.state(as: S.State.self), new: event.new.state(as: S.State.self),
          step: event.step, action: event.action))
    }
    return dispatcher.engine.register(observer, at: index, cancellation).receipt
  }

  /// Calls back with a value made of the state, whenever that value changes.
  ///
  /// What steps on other threads bring while the first call is under way arrives after it, on the thread that
  /// observes and outside any turn; from then on, see ``onChange(_:)`` for where the callback runs.
  ///
  /// - Parameters:
  ///   - initial: Whether to call back at once with the present value, before this returns.
  ///   - select: Makes the value, `\.items.count` for example.
  ///   - callback: Gets the value.
  /// - Returns: The receipt; the observation ends with it.
  @inlinable
  public func observe<Value: Equatable & Sendable>(
    initial: Bool = true, _ select: @escaping @Sendable (S.State) -> Value,
    _ callback: @escaping @Sendable (Value) -> Void
  ) -> Receipt {
    let cancellation = Cancellation()
    let mailbox = Mailbox(cancellation, callback)
    // One closure for both uses: a key path that is given for `select` then becomes a plain read.
    let selectFrom = { (snapshot: StateSnapshot) in select(snapshot.state(as: S.State.self)) }
    let observer = Observer(cancellation) { event in mailbox.deliverIfNew(selectFrom(event.new)) }
    let (receipt, snapshot) = dispatcher.engine.register(observer, at: index, cancellation)
    mailbox.open(with: selectFrom(snapshot), isWanted: initial)
    return receipt
  }
}
