public import FluxCore

/// The state of a counter.
public struct CounterState: StateValue {
  /// The current count.
  public var count = 0

  /// Creates a state with a count of 0.
  public init() {}
}

/// A counter that never goes below 0.
public struct CounterStore: Store {
  /// A count of 0.
  public let initialState = CounterState()
  private let work: @Sendable (_ amount: Int) async -> Void

  /// Creates the store.
  ///
  /// - Parameter work: The async operation of ``CounterAction/addAfterWork(amount:)``.
  public init(work: @escaping @Sendable (_ amount: Int) async -> Void = { _ in }) {
    self.work = work
  }

  /// Changes the count.
  public func reduce(
    _ counter: inout CounterState, _ action: CounterAction, _ step: inout Step
  ) throws {
    switch action {
    case .increase:
      counter.count += 1
    case .decrease:
      try remove(1, from: &counter)
    case .add(let amount):
      counter.count += amount
    case .remove(let amount):
      try remove(amount, from: &counter)
    case .addAfterWork(let amount):
      step.effect("work", .serial) { [work] send in
        await work(amount)
        send(CounterAction.add(amount: amount))
      }
    }
  }

  private func remove(_ amount: Int, from counter: inout CounterState) throws {
    guard amount <= counter.count else {
      throw Rejection("cannot remove \(amount) from \(counter.count)")
    }
    counter.count -= amount
  }
}
