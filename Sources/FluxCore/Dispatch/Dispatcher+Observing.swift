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
    engine.observe(at: nil, select, initial: initial, callback)
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
    engine.observe(for: owner, .model, at: nil, select, initial: initial, callback)
  }
}
