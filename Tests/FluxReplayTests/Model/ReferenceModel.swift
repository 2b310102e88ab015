import FluxLog

/// The rules of docs/log-format.md about what is known of each store, and nothing else.
///
/// A dictionary and one pass over the lines, without any code that it is compared with.
struct ReferenceModel {
  enum Known: Equatable {
    case value(ModelLog.State)
    case absent
    case unknown
  }

  enum Problem: String {
    case patchDoesNotApply, removalOfAbsentFeature, unwrittenAfterGap
  }

  /// A usable step.
  struct Step {
    var number: Int
    /// The model right before the step.
    var before: [String: Known]
    var after: [String: Known]
    /// The last written state of each store, to which a patch applies.
    var written: [String: Known]
    var problems: [String: Problem] = [:]
    /// The model is not known to continue from the step before, or the app went back.
    var isAfterBreak: Bool
    /// The app went back to a model that the log has.
    var isRestored: Bool
    /// The step is rejected, or comes before the first accepted one after a gap.
    var isRejected: Bool
    /// The last known state of each store, up to this step.
    var lastKnown: [String: Known]
    /// The stores that the step changed, compared with their last known states.
    var changed: Set<String> = []
    /// The stores that the step may have changed, as far as its line and the model right before it tell.
    var maybeChanged: Set<String> = []
    /// The step is the first accepted one after a gap.
    var replacesModel = false
  }

  let stores: [String]
  let initial: [String: Known]
  private(set) var steps: [Step] = []
  /// The number of the next step.
  private(set) var number = 1
  /// The newest state of each store, as far as it is known.
  private(set) var known: [String: Known]
  private(set) var written: [String: Known]
  /// The next accepted step writes each store that is present.
  private(set) var awaitsWholeModel = false
  private var isMissingSteps = false
  private var isAfterBreak = false
  private var isRestored = false
  /// The states since the last break are those of an import.
  private var isImported = false
  private var lastKnown: [String: Known]
  /// The last known states in the model to which the app went back.
  private var restored: [String: Known]?

  init(_ log: ModelLog) {
    stores = log.stores.map(\.name)
    known = Dictionary(
      uniqueKeysWithValues: log.stores.map { ($0.name, $0.initial.map { .value($0) } ?? .absent) })
    written = known
    initial = known
    lastKnown = known
  }

  static func reading(_ log: ModelLog) -> ReferenceModel {
    var model = ReferenceModel(log)
    for line in log.lines { model.read(line) }
    return model
  }

  mutating func read(_ line: ModelLog.Line) {
    switch line {
    case .mark, .unknown: break
    case .loss:
      number += 1
      isMissingSteps = true
    case .damage:
      number += 1
      hide(awaitsWholeModel: false)
    case .gap(let why, let missing):
      number += missing
      let isOfRepair = why == .damaged || why == .imported
      let wasImported = isImported
      // A gap that does not begin at the next step is damage itself.
      hide(awaitsWholeModel: !isMissingSteps && !isOfRepair)
      if !isMissingSteps { isImported = why == .imported || (wasImported && isOfRepair) }
      isMissingSteps = false
    case .restored(let model):
      hide(awaitsWholeModel: !isMissingSteps)
      if !isMissingSteps { restore(model) }
      isMissingSteps = false
    case .rejection:
      begin()
      end([:])
    case .step(let writes, _):
      begin()
      var problems: [String: Problem] = [:]
      for store in stores {
        if awaitsWholeModel {
          problems[store] = takeFirst(writes[store], of: store)
        } else if let write = writes[store] {
          problems[store] = take(write, of: store)
        }
      }
      note(writes)
      awaitsWholeModel = false
      end(problems, isRejected: false)
    }
  }

  private mutating func hide(awaitsWholeModel: Bool) {
    for store in stores { (known[store], written[store]) = (.unknown, .unknown) }
    self.awaitsWholeModel = awaitsWholeModel
    (isAfterBreak, isRestored, restored) = (true, false, nil)
    // Damage does not bring the states back that the import did not have.
    if awaitsWholeModel { isImported = false }
  }

  private mutating func restore(_ model: ModelLog.Restored) {
    switch model {
    case .nothing: return
    case .states(let states):
      for store in stores { known[store] = states[store].map { .value($0) } ?? .absent }
      restored = known
    case .step(0): (known, restored) = (initial, initial)
    case .step(let number):
      guard let step = steps.first(where: { $0.number == number }) else { return }
      (known, restored) = (step.after, step.lastKnown)
    }
    isRestored = true
  }

  // MARK: Steps

  private mutating func begin() {
    if isMissingSteps { hide(awaitsWholeModel: false) }
    isMissingSteps = false
    lastKnown = restored ?? lastKnown
    restored = nil
    steps.append(
      Step(
        number: number, before: known, after: known, written: written, isAfterBreak: isAfterBreak,
        isRestored: isRestored, isRejected: true, lastKnown: lastKnown))
    number += 1
    (isAfterBreak, isRestored) = (false, false)
  }

  /// Notes what an accepted step changed.
  private mutating func note(_ writes: [String: ModelLog.Write]) {
    let last = steps.count - 1
    steps[last].replacesModel = awaitsWholeModel
    for store in stores {
      var isChanged = writes[store] != nil
      if awaitsWholeModel, known[store] != .unknown {
        isChanged = known[store] != lastKnown[store]
        if steps[last].before[store] == .unknown { steps[last].maybeChanged.insert(store) }
      }
      if !awaitsWholeModel, !isChanged, isImported, written[store] == .unknown {
        steps[last].maybeChanged.insert(store)
      }
      if isChanged { steps[last].changed.insert(store) }
    }
    lastKnown.merge(known.filter { $1 != .unknown }) { $1 }
    steps[last].lastKnown = lastKnown
  }

  private mutating func end(_ problems: [String: Problem], isRejected: Bool = true) {
    let last = steps.count - 1
    (steps[last].after, steps[last].written) = (known, written)
    (steps[last].problems, steps[last].isRejected) = (problems, isRejected)
  }

  private mutating func set(_ store: String, _ value: Known) {
    (known[store], written[store]) = (value, value)
  }

  /// The first accepted step after a gap: it lists every present store.
  private mutating func takeFirst(_ write: ModelLog.Write?, of store: String) -> Problem? {
    switch write {
    case .whole(let state): set(store, .value(state))
    case .removal:
      let wasAbsent = known[store] == .absent
      set(store, .absent)
      return wasAbsent ? .removalOfAbsentFeature : nil
    case nil: set(store, .absent)
    case .patch:
      set(store, .unknown)
      return .patchDoesNotApply
    case .unwritten:
      set(store, .unknown)
      return .unwrittenAfterGap
    }
    return nil
  }

  private mutating func take(_ write: ModelLog.Write, of store: String) -> Problem? {
    switch write {
    case .whole(let state): set(store, .value(state))
    case .removal:
      let wasAbsent = known[store] == .absent
      set(store, .absent)
      return wasAbsent ? .removalOfAbsentFeature : nil
    case .unwritten: known[store] = .unknown
    case .patch(let operations):
      switch written[store] {
      case .value(var state):
        let applies = operations.allSatisfy { Self.apply($0, to: &state) }
        set(store, applies ? .value(state) : .unknown)
        return applies ? nil : .patchDoesNotApply
      case .absent:
        set(store, .unknown)
        return .patchDoesNotApply
      case .unknown, nil: set(store, .unknown)
      }
    }
    return nil
  }

  private static func apply(_ operation: ModelLog.Operation, to state: inout ModelLog.State) -> Bool
  {
    switch operation {
    case .add(let member, let value): state[member] = value
    case .replace(let member, let value):
      guard state[member] != nil else { return false }
      state[member] = value
    case .remove(let member): return state.removeValue(forKey: member) != nil
    case .copy(let member, let from):
      guard let value = state[from] else { return false }
      state[member] = value
    case .prepend(let text, let member):
      guard let value = state[member], value.hasPrefix("\"") else { return false }
      state[member] = "\"" + text + value.dropFirst()
    }
    return true
  }
}
