public import FluxCore

extension StoreHandle<CounterStore> {
  /// Uses `dispatch`: the count is up to date when the call returns.
  ///
  /// - Returns: The count.
  public func increased() -> Int {
    dispatch(.increase)
    return state.count
  }

  /// Uses `enqueue`: returns at once, and calls back after a second, chained action.
  ///
  /// - Parameter completion: Gets the count.
  public func increaseTwice(then completion: @escaping @Sendable (Int) -> Void) {
    dispatcher.enqueue(CounterAction.increase, to: id) { _ in
      dispatcher.enqueue(CounterAction.increase, to: id) { _ in completion(state.count) }
    }
  }

  /// Uses `run`: adds each amount after the effects of the previous one have ended.
  ///
  /// - Parameter amounts: The amounts, in order.
  /// - Returns: The count.
  public func addAfterWork(_ amounts: [Int]) async -> Int {
    for amount in amounts { await run(.addAfterWork(amount: amount)) }
    return state.count
  }
}
