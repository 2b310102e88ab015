public import FluxCore

extension StoreHandle<CounterStore> {
  /// Uses `dispatch`: the count is up to date when the call returns.
  ///
  /// It passes on the line of its caller, so a recording names the line of the app that increases the count.
  ///
  /// - Parameters:
  ///   - file: The calling file; the compiler fills it in.
  ///   - line: The calling line; the compiler fills it in.
  /// - Returns: The count.
  public func increased(file: StaticString = #fileID, line: UInt = #line) -> Int {
    dispatch(.increase, file: file, line: line)
    return state.count
  }

  /// Uses `enqueue`: returns at once, and calls back after a second, chained action.
  ///
  /// - Parameters:
  ///   - file: The calling file; the compiler fills it in.
  ///   - line: The calling line; the compiler fills it in.
  ///   - completion: Gets the count.
  public func increaseTwice(
    file: StaticString = #fileID, line: UInt = #line,
    then completion: @escaping @Sendable (Int) -> Void
  ) {
    dispatcher.enqueue(CounterAction.increase, to: id, file: file, line: line) { _ in
      dispatcher.enqueue(CounterAction.increase, to: id, file: file, line: line) { _ in
        completion(state.count)
      }
    }
  }

  /// Uses `run`: adds each amount after the effects of the previous one have ended.
  ///
  /// - Parameters:
  ///   - amounts: The amounts, in order.
  ///   - file: The calling file; the compiler fills it in.
  ///   - line: The calling line; the compiler fills it in.
  /// - Returns: The count.
  public func addAfterWork(
    _ amounts: [Int], file: StaticString = #fileID, line: UInt = #line
  ) async -> Int {
    for amount in amounts { await run(.addAfterWork(amount: amount), file: file, line: line) }
    return state.count
  }
}
