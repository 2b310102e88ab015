import FluxCore
import Foundation

enum MeterAction: Action, Equatable {
  case add(Int)
  case twice(Int)
  case guess
  case refuse
}

struct Meter: StateValue {
  var total = 0
  var id: UUID?
}

/// A store whose reducer a test can change.
struct MeterStore: Store {
  var id: StoreID { "meter" }
  let initialState = Meter()
  var factor = 1

  func reduce(_ meter: inout Meter, _ action: MeterAction, _ step: inout Step) throws {
    switch action {
    case .add(let amount): meter.total += amount * factor
    case .twice(let amount):
      step.dispatch(MeterAction.add(amount))
      step.dispatch(MeterAction.add(amount))
    case .guess: meter.id = UUID()
    case .refuse: throw Rejection("no")
    }
  }
}

let makeStores: @Sendable () -> [any Store] = { [MeterStore()] }
/// As after a change of the reducer.
let makeOtherStores: @Sendable () -> [any Store] = { [MeterStore(factor: 10)] }
