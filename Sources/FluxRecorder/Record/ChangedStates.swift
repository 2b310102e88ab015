import FluxCore
import FluxLog

/// The states that a step changed, by reference.
struct ChangedStates: Sendable {
  private var states: [ChangedState] = []
  /// The number of stores that have a state; a removal is not counted.
  private(set) var heldCount = 0
  /// The stores whose states were left out because the log was behind.
  private(set) var unwritten: [String] = []

  init(of stores: borrowing ChangedStores) {
    states.reserveCapacity(stores.count)
    for index in 0..<stores.count {
      let state = ChangedState(stores.change(at: index))
      if state.holdsState { heldCount += 1 }
      states.append(state)
    }
  }

  var records: [StepRecord.Change] { states.map(\.record) }

  func heldStore(at index: Int) -> String {
    states.lazy.filter(\.holdsState).dropFirst(index).first?.store.rawValue ?? ""
  }

  mutating func leaveOut(_ store: String) -> (any Sendable)? {
    let place = states.firstIndex { $0.holdsState && $0.store.rawValue.hasSameBytes(as: store) }
    guard let place else { return nil }
    heldCount -= 1
    unwritten.append(store)
    return states.remove(at: place).snapshot
  }
}

/// The state of one store after a step.
struct ChangedState: Sendable {
  let store: StoreID
  let snapshot: StateSnapshot
  /// `false` if the step removed the feature; kept, because to test a state for nil takes a cast.
  let holdsState: Bool

  init(_ change: ChangedStores.Change) {
    store = change.store
    snapshot = change.snapshot
    holdsState = !(change.isFeature && change.snapshot.isNil)
  }

  /// The change in the form of a step's record; the state is encoded when the log is written.
  var record: StepRecord.Change {
    StepRecord.Change(
      store: store.rawValue, state: holdsState ? LogValue(snapshot: snapshot) : nil)
  }
}
