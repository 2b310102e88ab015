import FluxJSON
import FluxLog

/// The recorded states while a replay advances from step to step.
struct RecordedWalk {
  /// The last written states of the stores and present features.
  private(set) var states: StoreDictionary<JSON>
  /// The stores whose newest states are not written.
  private var unwritten: Set<BytewiseName> = []
  /// The stores that an import without states hides, until they are next written whole.
  private var hidden: Set<BytewiseName> = []
  private var rules: ModelRules

  init(_ model: RecordedModel, by rules: ModelRules = ModelRules()) {
    states = model.states.compactMapValues(\.json)
    self.rules = rules
  }

  /// Takes note that the steps from here on were imported without the states of these stores.
  mutating func hide(_ stores: [String]) {
    hidden = Set(stores.map(BytewiseName.init))
    rules.interrupt(.imported)
  }

  /// Advances over a step, and returns its changes.
  ///
  /// - Throws: `LineProblem` if a change of the step does not fit the states before it.
  mutating func advance(over step: LogStep) throws(LineProblem) -> [RecordedChange] {
    rules.begin(isRejected: step.rejection != nil)
    var changes: [RecordedChange] = []
    for (store, kind, value) in step.writes {
      // A feature may have appeared in a state that is not written.
      var wasUnwritten = !unwritten.isEmpty && unwritten.remove(BytewiseName(store)) != nil
      if !hidden.isEmpty, hidden.contains(BytewiseName(store)), step.rejection == nil {
        guard kind.isBase else { continue }
        wasUnwritten = hidden.remove(BytewiseName(store)) != nil
      }
      let isAbsent = kind == .removal && !wasUnwritten && states[store] == nil
      if let problem = rules.problem(of: kind, to: store, isAbsent: isAbsent) { throw problem }
      let new: JSON?
      switch rules.effect(of: kind) {
      case .whole: new = value
      case .patch: new = try patched(store, value)
      case .absent: new = nil
      case .unwritten:
        unwritten.insert(BytewiseName(store))
        changes.append(RecordedChange(store: store, missing: .behind))
        continue
      case .hidden, nil: continue
      }
      states[store] = new
      changes.append(RecordedChange(store: store, state: new))
    }
    if !hidden.isEmpty, step.rejection == nil {
      for store in hidden.sorted() {
        changes.append(RecordedChange(store: store.text, missing: .imported))
      }
    }
    if rules.replacesModel {
      for store in states.ordered.map(\.key) where step.states?[store] == nil {
        states[store] = nil
        changes.append(RecordedChange(store: store))
      }
    }
    return changes
  }

  private func patched(_ store: String, _ patch: JSON?) throws(LineProblem) -> JSON? {
    guard let patch, let state = states[store] else {
      throw .patchDoesNotApply(store: store, reason: "the store has no state before this step")
    }
    do {
      return try state.applying(CollectionOfOne(patch), maximumDepth: JSON.maximumStateDepth)
    } catch {
      throw .patchDoesNotApply(store: store, reason: error.message)
    }
  }
}
