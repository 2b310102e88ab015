public import FluxCore

/// The actions of a counter.
public enum CounterAction: Action, Equatable {
  case increase
  case decrease
  case add(amount: Int)
  case remove(amount: Int)
  /// Adds an amount after an async operation; amounts are added one by one, in order.
  case addAfterWork(amount: Int)
}
