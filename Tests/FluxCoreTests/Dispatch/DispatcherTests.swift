import FluxCore
import Testing

enum CounterAction: Action, Equatable {
  case increase
  case add(Int)
  case nothing
}

struct CounterStore: Store {
  var id: StoreID = "counter"
  let initialState = 0

  func reduce(_ count: inout Int, _ action: CounterAction, _ step: inout Step) {
    switch action {
    case .increase: count += 1
    case .add(let amount): count += amount
    case .nothing: break
    }
  }
}

@Suite struct DispatcherTests {
  @Test("an action changes the store that takes it, and the outcome says so")
  func changes() {
    let dispatcher = Dispatcher([CounterStore()])
    #expect(dispatcher.dispatch(CounterAction.add(42)).verdict == .changed)
    #expect(dispatcher[CounterStore.self] == 42)
    #expect(dispatcher.dispatch(CounterAction.nothing).verdict == .unchanged)
  }
}
