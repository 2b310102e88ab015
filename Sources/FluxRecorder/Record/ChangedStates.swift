import FluxCore
import FluxLog

/// The states that a step changed, by reference.
///
/// Most steps change at most one store, so the first one is stored without an array.
struct ChangedStates: Sendable {
  private let first: ChangedState?
  private let others: [ChangedState]

  /// Collects the changed states.
  ///
  /// The parameters are borrowed to avoid extra reference counting.
  init(_ stores: borrowing [StoreID], in model: borrowing Model) {
    first = stores.isEmpty ? nil : ChangedState(stores[0], in: model)
    var others: [ChangedState] = []
    for place in stores.indices.dropFirst() {
      if let state = ChangedState(stores[place], in: model) { others.append(state) }
    }
    self.others = others
  }

  /// The changes in the form of a step's record.
  var records: [StepRecord.Change] {
    guard let first else { return [] }
    return others.isEmpty ? [first.record] : [first.record] + others.map(\.record)
  }
}

/// The state of one store after a step.
private struct ChangedState: Sendable {
  let store: StoreID
  let snapshot: StateSnapshot
  let isFeature: Bool

  /// Creates the state; nil if the model has no such store.
  init?(_ store: StoreID, in model: borrowing Model) {
    guard let contents = model.slotContents(of: store) else { return nil }
    self.store = store
    snapshot = contents.snapshot
    isFeature = contents.isFeature
  }

  /// The change in the form of a step's record; the state is encoded when the log is written.
  var record: StepRecord.Change {
    let isGone = isFeature && snapshot.isNil
    return StepRecord.Change(
      store: store.rawValue, state: isGone ? nil : LogValue(snapshot: snapshot))
  }
}
