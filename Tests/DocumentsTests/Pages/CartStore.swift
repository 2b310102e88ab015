import FluxCore
import FluxRecorder

/// The app of the pages about tests.
enum CartAction: Action {
  case add(String)
  case pay
}

struct CartStore: Store {
  struct State: StateValue {
    var lines: [String] = []
    /// The total in cents; every product costs the same.
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
let shopApp = AppDefinition(name: "Shop", stores: makeStores)

enum PantryAction: Action { case type(String), found([String]) }

struct PantryStore: Store {
  let initialState: [String] = []

  func reduce(_ found: inout [String], _ action: PantryAction, _ step: inout Step) {
    switch action {
    case .type(let text):
      step.effect("search", .replacing(after: .milliseconds(300)), then: PantryAction.found) {
        [text]
      }
    case .found(let items): found = items
    }
  }
}
