package import FluxJSON
package import FluxLog

extension ReplaySession {
  /// Returns recorded states in the app's current form, by their recorded names.
  package func upcast(
    _ states: StoreDictionary<JSON>, for app: AppDescription
  ) throws(ReplayFailure) -> StoreDictionary<JSON> {
    var states = states
    let old = states.ordered.filter { app.upcastStores.contains($0.key) }
      .map { RecordedState(store: $0.key, state: $0.value) }
    guard !old.isEmpty else { return states }
    for (old, new) in zip(old, try upcast(old)) { states[old.store] = new }
    return states
  }

  /// Brings the changes of recorded steps into the app's current form.
  func upcast(_ steps: inout [RecordedStep], for app: AppDescription) throws(ReplayFailure) {
    guard !app.upcastStores.isEmpty else { return }
    var changes = steps.map(\.changes)
    var places: [(step: Int, change: Int)] = []
    var old: [RecordedState] = []
    for (step, changed) in changes.enumerated() {
      for (place, change) in changed.enumerated() {
        guard let state = change.state, app.upcastStores.contains(change.store) else { continue }
        places.append((step, place))
        old.append(RecordedState(store: change.store, state: state))
      }
    }
    guard !old.isEmpty else { return }
    for (place, new) in zip(places, try upcast(old)) {
      changes[place.step][place.change].state = new
    }
    for step in Set(places.map(\.step)) {
      let recorded = steps[step]
      steps[step] = RecordedStep(
        recorded.step, changes: changes[step], canReplay: recorded.canReplay)
    }
  }
}
