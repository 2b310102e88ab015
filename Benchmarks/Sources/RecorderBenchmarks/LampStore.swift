import FluxCore

enum LampAction: Action {
  case toggle(id: Int)
}

/// The state of a small app: eight lamps that are toggled.
struct LampStore: Store {
  struct Lamp: StateValue {
    let id: Int
    var isOn = false
  }

  let initialState = (0..<8).map { Lamp(id: $0) }

  func reduce(_ lamps: inout [Lamp], _ action: LampAction, _ step: inout Step) {
    switch action {
    case .toggle(let id): lamps[id].isOn.toggle()
    }
  }
}
