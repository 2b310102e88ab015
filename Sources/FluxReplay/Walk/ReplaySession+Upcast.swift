package import FluxJSON
package import FluxLog

extension ReplaySession {
  /// Returns recorded states in the app's current form, by their recorded names.
  package func upcast(
    _ states: StoreDictionary<JSON>, for app: AppDescription
  ) throws(ReplayFailure) -> StoreDictionary<JSON> {
    var states = states
    let old = states.ordered.filter { app.upcastStores.contains(exactly: $0.key) }
      .map { RecordedState(store: $0.key, state: $0.value) }
    for (old, new) in zip(old, try upcastAll(old)) { states[old.store] = new }
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
        guard let state = change.state, app.upcastStores.contains(exactly: change.store) else {
          continue
        }
        places.append((step, place))
        old.append(RecordedState(store: change.store, state: state))
      }
    }
    for (place, new) in zip(places, try upcastAll(old)) {
      changes[place.step][place.change].state = new
    }
    for step in Set(places.map(\.step)) {
      let recorded = steps[step]
      steps[step] = RecordedStep(
        recorded.step, changes: changes[step], canReplay: recorded.canReplay)
    }
  }

  private func upcastAll(_ old: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    guard !old.isEmpty else { return [] }
    let new = try upcast(old)
    guard new.count == old.count else {
      throw ReplayFailure(
        .protocolViolation(found: "\(new.count) upcast states", expected: "\(old.count)"))
    }
    return new
  }
}
