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
  /// The changed stores, by the app's names; ``Fork/states(afterSteps:)`` returns their states.
  public var changed: [String]
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
    changed = step.changes.map(\.store)
    effects = step.effects
    storeEffects = step.storeEffects ?? []
    if case .rejected(let rejection) = step.verdict { self.rejection = rejection }
  }
}
