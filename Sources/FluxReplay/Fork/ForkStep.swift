public import FluxJSON
public import FluxLog

/// A step of a fork: a dispatched action or a follow-up.
public struct ForkStep: Sendable, Equatable {
  /// The number of the step, one more than the previous one.
  public var number: UInt64
  /// The time of the step.
  public var time: LogTime
  /// The text of the action: a parsed value keeps the whole line or message that it is a part of.
  private var actionText: [UInt8]
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
  public var changed: [String]
  /// The names of the effects that it starts; they do not run.
  public var effects: [String]
  /// The effects that it starts and cancels, by store; empty if the app does not tell them.
  public var storeEffects: [StoreEffects]
  /// The number of the step whose random numbers it drew; nil for its own.
  public var randomStep: UInt64?
  /// The recorded step that it repeats, with the same action or another one.
  public var repeats: UInt64?
  /// `true` if the recorded step has a cause that was left out or rejected on the fork, so it would not have happened.
  public var isOrphan = false

  /// The action in the app's current form.
  public var action: JSON {
    get { JSON(ofValid: actionText) }
    set { actionText = newValue.bytes }
  }

  /// The type of its action.
  public var type: String { action["type"]?.string ?? "" }

  /// Converts a session's step; `action` is the dispatched one.
  init(_ step: ReplayedStep, action: JSON) {
    number = step.number
    time = step.time
    actionText = (step.action ?? action).bytes
    target = step.target
    cause = step.cause
    changed = step.changes.map(\.store)
    // A step that does not commit starts and cancels nothing, whatever an app answers.
    let commits = step.outcome == .accepted
    effects = commits ? step.effects : []
    storeEffects = commits ? step.storeEffects ?? [] : []
    if case .rejected(let rejection) = step.outcome { self.rejection = rejection }
  }
}

extension ForkStep {
  /// Takes note of the random numbers that the step drew, if they are not its own.
  mutating func drew(from source: RandomSource) {
    let other = source.step(for: number)
    randomStep = other == number ? nil : other
  }
}

extension [ForkStep] {
  /// The recorded steps that the orphans repeat, in order.
  package var recordedOrphans: [UInt64] { filter(\.isOrphan).compactMap(\.repeats) }
}
