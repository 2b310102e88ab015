import FluxCore

enum CounterAction: Action { case increase, nothing, refuse }

/// The smallest store that is like a real one, in the module that dispatches to it, as in an app.
struct CounterStore: Store {
  struct State: StateValue {
    var count = 0
    /// Long enough to live on the heap, as most states have something that does.
    var label = "a label that does not fit into a small string"
  }

  let initialState = State()

  func reduce(
    _ state: inout State, _ action: CounterAction, _ step: inout Step
  ) throws {
    switch action {
    case .increase: state.count += 1
    case .nothing: break
    case .refuse: throw Rejection("no")
    }
  }
}

enum OtherAction: Action { case increase }

/// One of many stores that do not take the counter's actions.
struct OtherStore: Store {
  let id: StoreID
  let initialState = 0

  func reduce(_ count: inout Int, _ action: OtherAction, _ step: inout Step) { count += 1 }
}

/// A store that is found by its type alone.
struct FirstStore: Store {
  let initialState = 1

  func reduce(_ count: inout Int, _ action: OtherAction, _ step: inout Step) { count += 1 }
}

/// Another one.
struct SecondStore: Store {
  let initialState = 2

  func reduce(_ count: inout Int, _ action: OtherAction, _ step: inout Step) { count += 1 }
}
