import FluxLog

/// The states of a log while its steps are walked over from one to the next.
struct RecordedWalk {
  /// The stores and features that are there.
  private(set) var states: [String: JSON]

  init(_ model: RecordedModel) {
    states = model.states.compactMapValues(\.json)
  }

  /// Moves on over a step.
  ///
  /// - Throws: `LineProblem` where a change of the step does not fit what was before it.
  mutating func advance(over step: LogStep) throws(LineProblem) {
    if let whole = step.states {
      for member in whole.members { states[member.name] = member.value }
    }
    if let patches = step.patches {
      for member in patches.members { try patch(member.name, member.value) }
    }
    for store in step.removed {
      guard states.removeValue(forKey: store) != nil else {
        throw .removalOfAbsentFeature(store)
      }
    }
  }

  private mutating func patch(_ store: String, _ patch: JSON) throws(LineProblem) {
    guard let state = states[store] else {
      throw .patchDoesNotApply(store: store, reason: "there is no state before it")
    }
    do {
      states[store] = try state.applying(CollectionOfOne(patch))
    } catch {
      throw .patchDoesNotApply(store: store, reason: error.message)
    }
  }
}
