public import FluxCore

extension StoreHandle<CounterStore> {
  /// Dispatches: the count is up to date when this returns.
  ///
  /// - Returns: The count.
  public func increased() -> Int {
    dispatch(.increase)
    return state.count
  }

  /// Enqueues: returns at once, and calls back when the second action, chained to the first, is done.
  ///
  /// - Parameter completion: Gets the count.
  public func increaseTwice(then completion: @escaping @Sendable (Int) -> Void) {
    dispatcher.enqueue(CounterAction.increase, to: id) { _ in
      dispatcher.enqueue(CounterAction.increase, to: id) { _ in completion(state.count) }
    }
  }

  /// Runs: each amount is added when all that came of the one before is over, its effects included.
  ///
  /// - Parameter amounts: The amounts, in order.
  /// - Returns: The count.
  public func addAfterWork(_ amounts: [Int]) async -> Int {
    for amount in amounts { await run(.addAfterWork(amount: amount)) }
    return state.count
  }
}
