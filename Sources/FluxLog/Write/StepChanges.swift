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
    var states: [RevisedState?] = []
    states.reserveCapacity(recorded.count)
    for change in recorded {
      guard let state = change.state else {
        states.append(nil)
        continue
      }
      states.append(try ledger.encode(state, of: change.store))
    }
    for (change, state) in zip(recorded, states) {
      guard let state else {
        if ledger.remove(change.store) { removed.append(change.store) }
        continue
      }
      switch ledger.change(change.store, to: state) {
      case .whole(let state): whole.append((change.store, state))
      case .patch(let patch): patches.append((change.store, patch))
      case nil: break
      }
    }
  }

  /// Appends the members `states`, `patches` and `removed`, those that there are.
  func write(to line: inout LineBuffer) {
    if !whole.isEmpty {
      line.object("states") { object in
        for (name, state) in whole { object.member(name, state) }
      }
    }
    if !patches.isEmpty {
      line.object("patches") { object in
        for (name, patch) in patches { object.member(name, text: patch.bytes) }
      }
    }
    if !removed.isEmpty { line.member("removed", removed) }
  }
}
