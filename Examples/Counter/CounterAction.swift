public import FluxCore

/// What can happen to a counter.
public enum CounterAction: Action, Equatable {
  case increase
  case decrease
  case add(amount: Int)
  case remove(amount: Int)
  /// Adds once the counter's work is done; one at a time, in the order of the dispatches.
  case addAfterWork(amount: Int)
}
