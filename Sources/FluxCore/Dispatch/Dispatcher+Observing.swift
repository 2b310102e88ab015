/// Observing several stores at once.
///
/// A selector borrows a ``ModelReader`` and returns one value. The stores that its last run has read decide
/// when it runs again. Reads through handles or other dispatchers do not count.
extension Dispatcher {
  /// Calls back with a value of several stores whenever that value changes.
  ///
  /// A step runs the selector at most once, and only if it changes a store that the selector has read.
  /// Observers of the model and of stores run in one order, that of their registration. For the first call and
  /// the threads, see ``StoreHandle/observe(initial:_:_:)``.
  ///
  /// - Parameters:
  ///   - initial: `true` to call back with the current value before this method returns.
  ///   - select: Selects the value; it runs again only if a state that it reads in the model changes.
  ///   - callback: Gets the value.
  /// - Returns: The receipt; releasing it ends the observation.
  @inlinable
  public func observe<Value: Equatable & Sendable>(
    initial: Bool = true, _ select: @escaping @Sendable (borrowing ModelReader) -> Value,
    _ callback: @escaping @Sendable (Value) -> Void
  ) -> Receipt {
    observe(Cancellation(), initial: initial, select, callback) { _ in }
  }

  /// Registers an observer, passes its receipt to `registered`, and then makes the first call.
  @inlinable
  @discardableResult
  func observe<Value: Equatable & Sendable>(
    _ cancellation: Cancellation, initial: Bool,
    _ select: @escaping @Sendable (borrowing ModelReader) -> Value,
    _ callback: @escaping @Sendable (Value) -> Void, registered: (Receipt) -> Void
  ) -> Receipt {
    let mailbox = Mailbox(cancellation, callback)
    let registration = Registration()
    let observer = Observer(cancellation, following: registration) { event in
      mailbox.deliverIfNew(select(event.reader(registration)))
    }
    let (receipt, model) = engine.register(observer, registration, cancellation)
    registered(receipt)
    let first = engine.firstSelection(from: model, registration, select)
    mailbox.open(with: first, isWanted: initial)
    return receipt
  }

  /// Calls a view or another object of the main actor with a value of several stores whenever that value
  /// changes.
  ///
  /// The object is held weakly. It has at most one observation of the model, in addition to those of single stores:
  /// a later one replaces an earlier one. Every value arrives on the main actor, in order; if the step ran there,
  /// at once.
  ///
  /// - Parameters:
  ///   - owner: The object; the observation ends when it is released.
  ///   - initial: `true` to call back with the current value before this method returns.
  ///   - select: Selects the value.
  ///   - callback: Gets the object and the value.
  @MainActor
  public func observe<Owner: AnyObject & Sendable, Value: Equatable & Sendable>(
    for owner: Owner, initial: Bool = true,
    _ select: @escaping @Sendable (borrowing ModelReader) -> Value,
    _ callback: @escaping @MainActor (Owner, Value) -> Void
  ) {
    observe(for: owner, .model, initial: initial, select, callback)
  }

  @MainActor
  func observe<Owner: AnyObject & Sendable, Value: Equatable & Sendable>(
    for owner: Owner, _ subject: OwnedObservation.Subject, initial: Bool,
    _ select: @escaping @Sendable (borrowing ModelReader) -> Value,
    _ callback: @escaping @MainActor (Owner, Value) -> Void
  ) {
    // A released owner selects nothing, and its observation ends.
    let select: @Sendable (borrowing ModelReader) -> Value? = { [weak owner] model in
      owner == nil ? nil : select(model)
    }
    engine.observe(
      for: owner, subject, initial: initial, callback,
      select: { ModelReader.read($0, select).value }
    ) { cancellation, receive, registered in
      observe(cancellation, initial: initial, select, receive, registered: registered)
    }
  }
}

extension Engine {
  /// Begins an observation for an owner, which gets the values of presented models too.
  ///
  /// - Parameters:
  ///   - owner: The object, held weakly.
  ///   - subject: What the object observes.
  ///   - initial: `true` to call back with the current value.
  ///   - callback: Gets the object and a value.
  ///   - select: Selects the value of a presented model; nil once the owner is released.
  ///   - start: Registers an observer, see ``OwnedObservations``.
  @MainActor
  func observe<Owner: AnyObject & Sendable, Value: Equatable & Sendable>(
    for owner: Owner, _ subject: OwnedObservation.Subject, initial: Bool,
    _ callback: @escaping @MainActor (Owner, Value) -> Void,
    select: @escaping @Sendable (Model) -> Value?,
    _ start: (
      _ cancellation: Cancellation, _ receive: @escaping @Sendable (Value?) -> Void,
      _ registered: (Receipt) -> Void
    ) -> Void
  ) {
    let attach = { [self] (view: PresentedView<Value>, receipt: Receipt) in
      // With a first call, that call tells the newest value.
      let newest = initial ? nil : select(publishedModel)
      let presented = presentation.add(view, initial: initial, newest: newest, select)
      return Receipt { [presentation] in
        receipt.cancel()
        presentation.remove(presented)
      }
    }
    owned.observe(for: owner, subject, callback, attach: attach, start)
  }
}
