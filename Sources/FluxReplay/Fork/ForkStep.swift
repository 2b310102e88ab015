public import FluxJSON
public import FluxLog

/// A step of a fork: a dispatched action or a follow-up.
public struct ForkStep: Sendable, Equatable {
  /// The number of the step, one more than the previous one.
  public var number: UInt64
  /// The time of the step.
  public var time: LogTime
  /// The action in the app's current form.
  public var action: JSON
  /// The store that it was addressed to.
  public var target: String?
  /// The step that caused it, on the fork or before it.
  public var cause: UInt64?
  /// The effect that dispatched it in the recording.
  public var effect: String?
  /// The origin of its dispatch in the recording, as in `LogStep.from`.
  public var from: String?
  /// The rejection; nil if it committed.
  public var rejection: LogRejection?
  /// The changed stores, by the app's names.
  public var changes: [ReplayedStep.Change]
  /// The names of the effects that it starts; they do not run.
  public var effects: [String]
  /// The effects that it starts and cancels, by store; empty if the app does not tell them.
  public var storeEffects: [StoreEffects]
  /// The recorded step that it repeats, with the same action or another one.
  public var repeats: UInt64?
  /// `true` if the recorded step has a cause that was left out or rejected on the fork, so it would not have happened.
  public var isOrphan = false

  /// The type of its action.
  public var type: String { action["type"]?.string ?? "" }
}

extension ForkStep {
  /// Converts a session's step; `action` is the dispatched one.
  init(_ step: ReplayedStep, action: JSON) {
    number = step.number
    time = step.time
    self.action = step.action ?? action
    target = step.target
    cause = step.cause
    changes = step.changes
    effects = step.effects
    storeEffects = step.storeEffects ?? []
    if case .rejected(let rejection) = step.verdict { self.rejection = rejection }
  }
}

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
  }

  /// The first step that differs; nil if none does.
  public var first: First?
  /// The recorded step that corresponds to the fork's last states.
  public var lastRecordedStep: UInt64
  /// The changes from the recorded states there to the fork's last states.
  public var final: [ValueChange]

  /// `true` if the fork has the recorded states after every step.
  public var isSame: Bool { first == nil && final.isEmpty }
}

extension Fork {
  /// Compares the fork with the recording.
  ///
  /// Each step is compared with the recorded step that it repeats; on a fork that repeats none, with the
  /// one of the same number. Stores have the app's names; stores that the app lacks are left out.
  ///
  /// - Returns: The first step with different states, and the differences of the last states.
  /// - Throws: `LogError` if recorded states are unknown or cannot be read, ``ReplayFailure`` if they cannot
  ///   be upcast.
  public func compare() throws -> ForkComparison {
    var states = baseStates
    var first: ForkComparison.First?
    var last = position
    for step in steps {
      for change in step.changes { states[change.store] = change.state }
      guard let counterpart = counterpart(of: step) else { continue }
      last = counterpart
      guard first == nil else { continue }
      let changes = try changes(at: counterpart, to: states)
      guard !changes.isEmpty else { continue }
      first = ForkComparison.First(
        step: step.number, recordedStep: timeline.number(at: counterpart) ?? 0, changes: changes)
    }
    return ForkComparison(
      first: first, lastRecordedStep: timeline.number(at: last) ?? 0,
      final: try changes(at: last, to: states))
  }

  /// Returns the position of the recorded step that corresponds to a step.
  private func counterpart(of step: ForkStep) -> Int? {
    let number: UInt64
    if let repeated = step.repeats {
      number = repeated
    } else if steps.contains(where: { $0.repeats != nil }) {
      return nil
    } else {
      number = step.number
    }
    guard let position = timeline.log.position(atOrBefore: number),
      timeline.log.number(at: position) == number
    else { return nil }
    return position
  }

  private func changes(at position: Int, to states: StoreDictionary<JSON>) throws -> [ValueChange] {
    var recorded: StoreDictionary<JSON> = [:]
    var states = states
    for store in try timeline.unwrittenStores(at: position) {
      // The recording does not tell this state.
      states[app.storeName(for: store)] = nil
    }
    for (store, state) in try timeline.model(at: position).states where app.hasStore(store) {
      if try timeline.isUnwritten(store, at: position) { continue }
      guard state.isKnown else {
        throw LogError(
          path: timeline.log.path,
          reason: .unknownStates([store], step: timeline.number(at: position) ?? 0))
      }
      guard let json = state.json else { continue }
      recorded[app.storeName(for: store)] = try today(store, json)
    }
    return Fork.model(of: recorded).changes(to: Fork.model(of: states))
  }
}
