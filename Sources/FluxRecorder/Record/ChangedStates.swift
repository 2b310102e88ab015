import FluxCore
import FluxLog

/// The states that a step has changed, by reference.
///
/// Most steps change one store or none, for which there is no list.
struct ChangedStates: Sendable {
  private let first: ChangedState?
  private let others: [ChangedState]

  /// Borrows what it is made of: an initializer is otherwise given references of its own, which have to be counted.
  init(_ stores: borrowing [StoreID], in model: borrowing Model) {
    first = stores.isEmpty ? nil : ChangedState(stores[0], in: model)
    var others: [ChangedState] = []
    for place in stores.indices.dropFirst() {
      if let state = ChangedState(stores[place], in: model) { others.append(state) }
    }
    self.others = others
  }

  /// The changes as a step's record has them.
  var records: [StepRecord.Change] {
    guard let first else { return [] }
    return others.isEmpty ? [first.record] : [first.record] + others.map(\.record)
  }
}

/// What a step has left of one store.
private struct ChangedState: Sendable {
  let store: StoreID
  let snapshot: StateSnapshot
  let isFeature: Bool

  /// Nil where the model has no such store.
  init?(_ store: StoreID, in model: borrowing Model) {
    guard let contents = model.slotContents(of: store) else { return nil }
    self.store = store
    snapshot = contents.snapshot
    isFeature = contents.isFeature
  }

  /// The change as a step's record has it; the state is encoded where the log is written.
  var record: StepRecord.Change {
    let isGone = isFeature && snapshot.isNil
    return StepRecord.Change(
      store: store.rawValue, state: isGone ? nil : LogValue(snapshot: snapshot))
  }
}
