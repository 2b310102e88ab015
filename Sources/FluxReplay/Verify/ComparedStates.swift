import FluxJSON
import FluxLog

/// The recorded and the replayed states of a stretch, from step to step.
struct ComparedStates {
  private let context: ComparisonContext
  /// The recorded states, in the app's current form.
  private(set) var recorded: StoreDictionary<JSON>
  /// The replayed states of the stores that differ from the log; nil for an absent one.
  private var differing: StoreDictionary<JSON?> = [:]
  /// The places that are known to differ, by store: later differences there follow from that.
  ///
  /// A store without such places is left out. Ignored and redacted places, and stores that are new in the
  /// app, do not count.
  private var known: StoreDictionary<Set<Pointer>> = [:]
  /// The places of redacted values that were not compared.
  private(set) var redacted: Set<Pointer> = []
  /// The places at which the app drops or changes recorded values from which it begins, by the stores that were not
  /// compared since.
  private(set) var lost: StoreDictionary<[[String]]>

  init(
    _ context: ComparisonContext, recorded: StoreDictionary<JSON>,
    lost: StoreDictionary<[[String]]>
  ) {
    (self.context, self.recorded, self.lost) = (context, recorded, lost)
  }

  /// `true` if no place is known to differ.
  var areSame: Bool { known.isEmpty }

  /// Returns `true` if a store is known to differ at a place, in it, or around it.
  func differ(in store: String, at path: Pointer) -> Bool {
    (known[store] ?? []).contains { $0.isWithin(path) || path.isWithin($0) }
  }

  /// Advances over the recorded changes of a step and those of its replay; returns the new differences.
  mutating func advance(
    over changes: [RecordedChange], of step: LogStep, _ replayed: ReplayedStep,
    _ notCompared: inout NotComparedCounts
  ) throws -> [Divergence] {
    var found: [Divergence] = []
    for change in changes {
      let store = change.store
      let name = context.appName(of: store)
      let new = name.map { state(of: store, called: $0, after: replayed) }
      if let missing = change.missing {
        notCompared.add(missing == .imported ? .importedStates : .unwritten)
        // The replayed state stands for it, and the next one that the log has is compared. Places that differed before
        // stay known, so that they are reported once.
        guard let new else { continue }
        recorded[store] = new
        differing[store] = nil
        continue
      }
      recorded[store] = change.state
      guard let new, !context.skips(store) else { continue }
      if let new = try compare(step, store, change.state, new, &notCompared) { found.append(new) }
    }
    for new in replayed.changes {
      let store = context.logName(of: new.store)
      guard !changes.contains(where: { $0.store.hasSameBytes(as: store) }), !context.skips(store)
      else { continue }
      let before = recorded[store]
      if let new = try compare(step, store, before, new.state, &notCompared) { found.append(new) }
    }
    return found
  }

  /// Returns the state that the replay has after a step; nil for an absent store.
  private func state(
    of store: String, called name: String, after replayed: ReplayedStep
  ) -> JSON? {
    let place = replayed.changes.firstIndex { $0.store.hasSameBytes(as: name) }
    if let place { return replayed.changes[place].state }
    return differing[store] ?? recorded[store]
  }

  /// Compares two states; returns the difference if it is new.
  private mutating func compare(
    _ step: LogStep, _ store: String, _ recorded: JSON?, _ replayed: JSON?,
    _ notCompared: inout NotComparedCounts
  ) throws -> Divergence? {
    if !lost.isEmpty { lost[store] = nil }
    // Compares bytes first: usually the same encoder wrote both.
    guard recorded != replayed else {
      if !differing.isEmpty || !known.isEmpty {
        differing[store] = nil
        known[store] = nil
      }
      return nil
    }
    differing[store] = .some(replayed)
    guard context.knowsStore(store) else { return nil }
    let result = try context.compare(recorded, replayed, store)
    redacted.formUnion(result.redacted)
    notCompared.add(.redacted, count: result.redactedValues)
    let before = known[store] ?? []
    known[store] = result.places.isEmpty ? nil : Set(result.places.map(\.path))
    let fresh = result.places.filter { place in
      !(0...place.tokens.count).contains {
        before.contains(Pointer(tokens: place.tokens.prefix($0)))
      }
    }
    guard let place = fresh.first else { return nil }
    var found = Divergence(.different, of: step)
    found.take(place, of: store)
    found.others = fresh.count - 1
    if !place.isRedacted {
      found.hint = Divergence.Hint(place, in: (recorded, replayed), now: context.now)
    }
    return found
  }
}
