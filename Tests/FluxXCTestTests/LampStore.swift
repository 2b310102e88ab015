import FluxCore
import FluxRecorder

enum LampAction: Action { case brighten }

struct LampStore: Store {
  struct State: StateValue { var brightness = 0 }

  let id: StoreID = "lamp"
  let initialState = State()
  var amount = 1

  func reduce(_ lamp: inout State, _ action: LampAction, _ step: inout Step) {
    lamp.brightness += amount
  }
}

let lampApp = AppDefinition { [LampStore()] }
