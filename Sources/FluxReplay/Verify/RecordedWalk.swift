import FluxLog

/// The states of a log while its steps are walked over from one to the next.
struct RecordedWalk {
  /// The stores and features that are there.
  private(set) var states: StoreDictionary<JSON>

  init(_ model: RecordedModel) {
    states = model.states.compactMapValues(\.json)
  }

  /// Moves on over a step, and returns what it changes.
  ///
  /// - Throws: `LineProblem` where a change of the step does not fit what was before it.
  mutating func advance(over step: LogStep) throws(LineProblem) -> [RecordedChange] {
    var changes: [RecordedChange] = []
    if let whole = step.states {
      for member in whole.members {
        states[member.name] = member.value
        changes.append(RecordedChange(store: member.name, state: member.value))
      }
    }
    if let patches = step.patches {
      for member in patches.members {
        let state = try patched(member.name, member.value)
        states[member.name] = state
        changes.append(RecordedChange(store: member.name, state: state))
      }
    }
    for store in step.removed {
      guard states.removeValue(forKey: store) != nil else {
        throw .removalOfAbsentFeature(store)
      }
      changes.append(RecordedChange(store: store, state: nil))
    }
    return changes
  }

  private func patched(_ store: String, _ patch: JSON) throws(LineProblem) -> JSON {
    guard let state = states[store] else {
      throw .patchDoesNotApply(store: store, reason: "the store has no state before this step")
    }
    do {
      return try state.applying(CollectionOfOne(patch))
    } catch {
      throw .patchDoesNotApply(store: store, reason: error.message)
    }
  }
}
