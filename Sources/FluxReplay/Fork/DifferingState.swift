package import FluxJSON
package import FluxLog

/// A store whose replayed state differs from the recorded one after a step.
package struct DifferingState: Sendable, Equatable {
  /// The store, by its name in the log.
  package let store: String
  /// The recorded state in the app's current form; nil for an absent feature.
  package let recorded: JSON?
  /// The replayed state; nil for an absent feature.
  package let replayed: JSON?
}

extension Timeline {
  /// Runs the step of a divergence again, from the recorded states before it, and returns the stores that differ.
  ///
  /// They are sorted by name; there are none if it is not the states that differ. A report has only the first place that
  /// differs in each store.
  package func differingStates(
    at divergence: Divergence, in app: any ReplayApp
  ) throws -> [DifferingState] {
    guard divergence.kind == .different,
      let position = log.position(atOrBefore: divergence.step)
    else { return [] }
    let fork = try Fork.redispatching(position..<position + 1, of: self, in: app)
    defer { fork.end() }
    let replayed = Fork.model(of: fork.history.states(afterSteps: 1))
    var differing: [DifferingState] = []
    for (store, state) in try model(at: position).states.ordered
    where state.isKnown && fork.app.hasStore(store) {
      let name = fork.app.storeName(for: store)
      let recorded = try state.json.map { try fork.upcast($0, of: store) }
      guard recorded != replayed[name] else { continue }
      differing.append(DifferingState(store: store, recorded: recorded, replayed: replayed[name]))
    }
    return differing.sorted { $0.store < $1.store }
  }
}
