extension Engine {
  /// Sets the states; called in the turn, between steps.
  func restore(_ model: Model) {
    effects.revokeAll()
    turn.value.restoreCount += 1
    turn.value.activity = nil
    propose(model)
    let changed = layout.ids(of: turn.value.touched)
    let observers = commitTouched(as: model.layout === layout ? model.step : nil)
    turn.value.isRestoring = true
    let restoration = Restoration(
      model: published.value, step: published.value.step,
      nextStep: turn.value.stepNumber &+ 1, changed: changed)
    middleware.value?.didRestore(restoration)
    if !changed.isEmpty { notify(observers, nil) }
    releaseOldStates()
    turn.value.isRestoring = false
    resetQueries()
  }

  private func propose(_ model: Model) {
    for (index, slot) in slots.enumerated() {
      let snapshot = model.snapshots[index]
      guard !slot.areEqual(snapshot, published.value.snapshots[index]) else { continue }
      propose(snapshot, for: index)
    }
  }

  /// Opens and closes queries until they are those of the receipts; called in the turn, between steps.
  ///
  /// That is one action, unless the store rejects it. A query that the store rejects on its own is not open, as if it
  /// had been opened now.
  func resetQueries() {
    let ignoresActions = turn.value.ignoresActions
    turn.value.ignoresActions = false
    defer { turn.value.ignoresActions = ignoresActions }
    for (index, slot) in slots.enumerated() {
      guard let companion = slot.storeType as? any QueryCompanion.Type else { continue }
      let live = liveQueries.entries.filter { $0.value.slot == index }
      let open = published.value.snapshots[index]
      guard let reset = companion.reset(to: live, from: open) else { continue }
      // No line of the app asks for it, and a line of this library would say nothing.
      let call = Call(file: "", line: 0, target: slots[slot.addressee].id)
      guard run(reset, call).result == .rejected else { continue }
      // The store refuses one of the queries, which the others do not depend on.
      for (number, change) in companion.changes(to: live, from: open)
      where run(change, call).result == .rejected {
        liveQueries.remove(number)
      }
    }
  }
}
