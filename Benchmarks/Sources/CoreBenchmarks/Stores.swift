import FluxCore

enum CounterAction: Action { case increase, nothing, refuse }

struct CounterStore: Store {
  struct State: StateValue {
    var count = 0
    /// Long enough to live on the heap, as most states have something that does.
    var label = "a label that does not fit into a small string"
  }

  let initialState = State()

  func reduce(_ state: inout State, _ action: CounterAction, _ step: inout Step) throws {
    switch action {
    case .increase: state.count += 1
    case .nothing: break
    case .refuse: throw Rejection("no")
    }
  }
}

enum OtherAction: Action { case increase }

struct OtherStore: Store {
  let id: StoreID
  let initialState = 0

  func reduce(_ count: inout Int, _ action: OtherAction, _ step: inout Step) { count += 1 }
}

/// A middleware that does nothing.
struct Silence: Middleware {}

/// A sum that an observer adds to.
final class Sum: @unchecked Sendable {
  // Sendable: only ever touched by the one thread that dispatches here.
  private var value = 0

  func add(_ number: Int) { value &+= number }
}
