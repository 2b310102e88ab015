import FluxCore

/// The app that the pages about tests speak of.
enum CartAction: Action {
  case add(String)
  case pay
}

struct CartStore: Store {
  struct State: StateValue {
    var lines: [String] = []
    /// In cents; everything costs the same here.
    var total = 0
  }

  let initialState = State()

  func reduce(_ cart: inout State, _ action: CartAction, _ step: inout Step) {
    switch action {
    case .add(let product):
      cart.lines.append(product)
      cart.total += 120
    case .pay: cart = State()
    }
  }
}

let makeStores: @Sendable () -> [any Store] = { [CartStore()] }
