package import FluxCore

package enum CounterAction: Action { case increase, nothing, refuse }

/// The smallest store that is like a real one.
package struct CounterStore: Store {
  package struct State: StateValue {
    package var count = 0
    /// Long enough to live on the heap, as most states have something that does.
    var label = "a label that does not fit into a small string"
  }

  package let initialState = State()

  package init() {}

  package func reduce(
    _ state: inout State, _ action: CounterAction, _ step: inout Step
  ) throws {
    switch action {
    case .increase: state.count += 1
    case .nothing: break
    case .refuse: throw Rejection("no")
    }
  }
}

package enum OtherAction: Action { case increase }

/// One of many stores that do not take the counter's actions.
package struct OtherStore: Store {
  package let id: StoreID
  package let initialState = 0

  package init(id: StoreID) { self.id = id }

  package func reduce(_ count: inout Int, _ action: OtherAction, _ step: inout Step) { count += 1 }
}
