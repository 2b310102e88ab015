import FluxJSON
import FluxLog

/// The states of all stores after every step of a fork.
struct ForkStates: Sendable {
  /// The states before the first step, by the app's names for its stores.
  let initial: StoreDictionary<JSON>
  /// The states after the last step.
  private(set) var current: StoreDictionary<JSON>
  private(set) var stepCount = 0

  /// The stores that a step has changed.
  private var stores: [String] = []
  /// The histories of the stores; a dictionary of these would copy a history to change it.
  private var histories: [StateHistory] = []
  private var places: StoreDictionary<Int> = [:]

  var byteCount: Int { histories.reduce(0) { $0 + $1.byteCount } }

  init(_ initial: StoreDictionary<JSON>) {
    self.initial = initial
    current = initial
  }

  mutating func append(_ changes: [ReplayedStep.Change]) {
    stepCount += 1
    for change in changes {
      let place = place(of: change.store)
      histories[place].append(change.state, after: current[change.store], steps: stepCount)
      current[change.store] = change.state
    }
  }

  private mutating func place(of store: String) -> Int {
    if let place = places[store] { return place }
    stores.append(store)
    histories.append(StateHistory(initial[store]))
    places[store] = stores.count - 1
    return stores.count - 1
  }

  /// Returns the states after a number of steps, by the app's names for its stores; 0 for the initial states.
  func states(afterSteps count: Int) -> StoreDictionary<JSON> {
    if count >= stepCount { return current }
    var states = initial
    guard count > 0 else { return states }
    for (store, history) in zip(stores, histories) {
      states[store] = history.state(afterSteps: count)
    }
    return states
  }

  /// Reads the states from the first step to the last.
  struct Walk {
    private let states: ForkStates
    private var walks: [StateHistory.Walk]
    private(set) var stepCount = 0

    init(_ states: ForkStates) {
      self.states = states
      walks = states.histories.map { StateHistory.Walk($0) }
    }

    mutating func advance() {
      stepCount += 1
      for index in walks.indices { walks[index].advance(toSteps: stepCount) }
    }

    func state(of store: String) -> JSON? {
      guard let place = states.places[store] else { return states.initial[store] }
      return walks[place].state
    }

    var model: StoreDictionary<JSON> {
      var model = states.initial
      for store in states.stores { model[store] = state(of: store) }
      return model
    }
  }
}
