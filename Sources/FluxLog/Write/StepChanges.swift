import FluxJSON

/// What one step changes, as it is written.
struct StepChanges {
  var whole: [(name: String, state: JSON)] = []
  var patches: [(name: String, patch: PatchText)] = []
  var removed: [String] = []
}

extension StepChanges {
  /// Takes changes into a ledger, which decides how each is written.
  ///
  /// All states are encoded before the ledger takes any in: a step is written whole or not at all.
  init(
    _ recorded: [StepRecord.Change], in ledger: inout StateLedger
  ) throws(EncodingFailure) {
    if recorded.count == 1 {
      // What most steps have, for which there need not be a list.
      add(recorded[0].store, try ledger.encode(recorded[0]), to: &ledger)
      return
    }
    let states = try recorded.map { change throws(EncodingFailure) in try ledger.encode(change) }
    for (change, state) in zip(recorded, states) { add(change.store, state, to: &ledger) }
  }

  /// Takes in what has become of a store; nil where it is gone.
  private mutating func add(
    _ store: String, _ state: consuming RevisedState?, to ledger: inout StateLedger
  ) {
    guard let state else {
      if ledger.remove(store) { removed.append(store) }
      return
    }
    switch ledger.change(store, to: state) {
    case .whole(let state): whole.append((store, state))
    case .patch(let patch): patches.append((store, patch))
    case nil: break
    }
  }

  /// Appends the members `states`, `patches` and `removed`, those that there are.
  func write(to line: inout LineBuffer) {
    if !whole.isEmpty {
      line.object("states") { object in
        for place in whole.indices {
          object.member(named: whole[place].name, whole[place].state)
        }
      }
    }
    if !patches.isEmpty {
      line.object("patches") { object in
        // By their places: what a loop hands out is copied, with its references.
        for place in patches.indices {
          object.member(named: patches[place].name, text: patches[place].patch.bytes)
        }
      }
    }
    if !removed.isEmpty { line.member("removed", removed) }
  }
}
