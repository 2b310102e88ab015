public import FluxLog

/// A step of a branch: one that was dispatched there, or a follow-up of it.
public struct BranchStep: Sendable, Equatable {
  /// The number of the step, one more than that of the step before it.
  public var number: UInt64
  /// When it ran.
  public var time: LogTime
  /// The action, as the app has it today.
  public var action: JSON
  /// The store that it was addressed to.
  public var target: String?
  /// The step that led to it, on the branch or before it.
  public var cause: UInt64?
  /// The effect that dispatched it when it was recorded.
  public var effect: String?
  /// Who dispatched it when it was recorded, as in `LogStep.from`.
  public var from: String?
  /// Why it did not commit, where it did not.
  public var rejection: LogRejection?
  /// The stores that it changed, by the names that the app has for them.
  public var changes: [ReplayedStep.Change]
  /// The names of the effects that it asked for; they do not run.
  public var effects: [String]
  /// The recorded step that it repeats, as it was or with another action.
  public var repeats: UInt64?

  /// The type of its action.
  public var type: String { action["type"]?.string ?? "" }
}

extension BranchStep {
  /// A step that a session has made; `action` is the one that was given, where it was given one.
  init(_ step: ReplayedStep, action: JSON) {
    number = step.number
    time = step.time
    self.action = step.action ?? action
    target = step.target
    cause = step.cause
    changes = step.changes
    effects = step.effects
    if case .rejected(let rejection) = step.verdict { self.rejection = rejection }
  }
}
