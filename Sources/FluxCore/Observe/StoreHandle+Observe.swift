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
    return dispatcher.engine.register(at: index, cancellation) { _ in observer }
  }

  /// Calls back with a value made of the state, whenever that value changes.
  ///
  /// - Parameters:
  ///   - initial: Whether to call back at once with the present value, before this returns.
  ///   - select: Makes the value, `\.items.count` for example.
  ///   - callback: Gets the value; see ``onChange(_:)`` for where it runs.
  /// - Returns: The receipt; the observation ends with it.
  @inlinable
  public func observe<Value: Equatable & Sendable>(
    initial: Bool = true, _ select: @escaping @Sendable (S.State) -> Value,
    _ callback: @escaping @Sendable (Value) -> Void
  ) -> Receipt {
    let cancellation = Cancellation()
    var mailbox: Mailbox<Value>?
    let receipt = dispatcher.engine.register(at: index, cancellation) { snapshot in
      let made = Mailbox(select(snapshot.state(as: S.State.self)), cancellation, callback)
      mailbox = made
      return Observer(cancellation) { event in
        made.deliverIfNew(select(event.new.state(as: S.State.self)))
      }
    }
    mailbox?.open(withFirstCall: initial)
    return receipt
  }
}
