public import FluxJSON
import FluxLog

/// The result of comparing a fork with its recording.
public struct ForkComparison: Sendable, Equatable {
  /// The first step after which the fork's states differ.
  public struct First: Sendable, Equatable {
    /// The number of the step on the fork.
    public var step: UInt64
    /// The number of the corresponding recorded step.
    public var recordedStep: UInt64
    /// The changes from the recorded states to those of the fork, with pointers from the model.
    public var changes: [ValueChange]
    package var models: Models
  }

  /// Two models that are compared.
  package struct Models: Sendable, Equatable {
    package let recorded: JSON
    package let fork: JSON

    fileprivate var changes: [ValueChange] { recorded.changes(to: fork) }
  }

  /// The first step that differs; nil if none does.
  public var first: First?
  /// The recorded step that corresponds to the fork's last states.
  public var lastRecordedStep: UInt64
  /// The changes from the recorded states there to the fork's last states.
  public var final: [ValueChange]
  /// The recorded model there, and the fork's last one.
  package var finalModels: Models

  /// The steps whose outcomes, messages or effects differ from those of the recorded ones, at most
  /// ``ForkComparison/mostDivergences`` of them; they have the recorded numbers.
  public var divergences: [Divergence] = []
  /// The number of diverging steps, including those beyond the limit of ``divergences``.
  public var divergenceCount = 0

  /// The number of steps whose recorded states are not in the log, or not all of them; those are not compared.
  ///
  /// After the first difference, only states that the recorder left out count.
  public var uncomparedSteps = 0

  /// The stores whose states after ``lastRecordedStep`` are not in the log, by the app's names; ``final`` does not have them.
  public var unknownStores: [String] = []

  /// The numbers that no step has between those of the range that was dispatched again; the fork lacks what these steps
  /// changed.
  public var missingSteps: [ClosedRange<UInt64>] = []

  /// More divergences than this are only counted: after the first, most follow from it.
  public static let mostDivergences = 20

  /// `true` if the fork has the recorded states after every step.
  public var isSame: Bool { first == nil && final.isEmpty }
}

extension Fork {
  /// Compares the fork with the recording.
  ///
  /// Each step is compared with the recorded step that it repeats; on a fork that repeats none, with the
  /// one of the same number. Stores have the app's names; stores that the app lacks are left out, and so are states that
  /// the log does not have.
  ///
  /// - Returns: The first step with different states, and the differences of the last states.
  /// - Throws: `LogError` if recorded states cannot be read, ``ReplayFailure`` if they cannot be upcast.
  public func compare() throws -> ForkComparison {
    // The recording is read once and in order, which needs few rebuilt states.
    let recording = Timeline(timeline.log, cacheByteCount: 4 << 20)
    var walk = ForkStates.Walk(history.states)
    let repeatsRecording = steps.contains { $0.repeats != nil }
    var first: ForkComparison.First?
    var last: Int?
    var outcomes = try OutcomeComparison(of: self)
    var uncompared = 0
    for step in steps {
      // After the first difference, only the last states matter.
      if first == nil { walk.advance() }
      // On a fork that repeats steps, another one has no counterpart.
      guard let number = step.repeats ?? (repeatsRecording ? nil : step.number),
        let counterpart = timeline.log.position(of: number)
      else { continue }
      last = counterpart
      try outcomes.compare(step, with: recording.log.step(at: counterpart)) { store in
        try recording.storeState(store, before: counterpart).json
      }
      guard first == nil else {
        if !timeline.unwrittenStores(at: counterpart).isEmpty { uncompared += 1 }
        continue
      }
      let model = try recording.model(at: counterpart)
      if !hiddenStores(of: model).isEmpty { uncompared += 1 }
      guard !isSame(walk, as: model) else { continue }
      let models = try models(model, to: walk.model)
      let changes = models.changes
      guard !changes.isEmpty else { continue }
      first = ForkComparison.First(
        step: step.number, recordedStep: timeline.number(at: counterpart) ?? 0,
        changes: changes, models: models)
    }
    // Without its last steps, a fork does not have the states that they led to.
    if let end = lastOfRange, end > last ?? history.position,
      try hiddenStores(of: recording.model(at: end)).allSatisfy({
        timeline.isUnwritten($0, at: end)
      })
    {
      last = end
    }
    let end =
      try last.map { (position) throws(LogError) in try recording.model(at: position) } ?? base
    let models = try models(end, to: history.states.current)
    return ForkComparison(
      first: first, lastRecordedStep: timeline.number(at: end.position) ?? 0, final: models.changes,
      finalModels: models, divergences: outcomes.divergences, divergenceCount: outcomes.count,
      uncomparedSteps: uncompared,
      unknownStores: hiddenStores(of: end).map { app.storeName(for: $0) },
      missingSteps: missingOfRange)
  }

  /// `true` if the recorded states have the texts of the fork's; `false` if that is not certain.
  private func isSame(_ walk: ForkStates.Walk, as model: RecordedModel) -> Bool {
    guard app.upcastStores.isEmpty else { return false }
    var states = walk.model
    for (store, state) in model.states where app.hasStore(store) {
      guard state.isKnown else { return false }
      guard let json = state.json else { continue }
      guard let state = states.removeValue(forKey: app.storeName(for: store)),
        unsafe json.withBytes({ left in unsafe state.withBytes { unsafe left.equals($0) } })
      else { return false }
    }
    return states.isEmpty
  }

  /// Returns the app's stores whose states a recorded model does not have, because of a gap or damage, or because the
  /// recorder left them out.
  private func hiddenStores(of model: RecordedModel) -> [String] {
    model.unknownStores.filter { app.hasStore($0) }
  }

  private func models(
    _ model: RecordedModel, to states: StoreDictionary<JSON>
  ) throws -> ForkComparison.Models {
    var recorded: StoreDictionary<JSON> = [:]
    var states = states
    for store in hiddenStores(of: model) {
      // The recording does not tell this state.
      states[app.storeName(for: store)] = nil
    }
    // In order, so that the error names the same store each time.
    for (store, state) in model.states.ordered where app.hasStore(store) {
      guard let json = state.json else { continue }
      recorded[app.storeName(for: store)] = try upcast(json, of: store)
    }
    return ForkComparison.Models(
      recorded: Fork.model(of: recorded), fork: Fork.model(of: states))
  }
}
