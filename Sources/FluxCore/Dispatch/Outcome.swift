/// What became of a dispatched action.
public struct Outcome: Sendable {
  /// The ways in which a dispatch can end.
  public enum Verdict: Sendable, Equatable {
    /// The step committed and changed at least one store.
    case changed
    /// The step committed; every store is as it was.
    case unchanged
    /// The step did not commit; ``Outcome/rejection`` says why.
    case rejected
    /// The call came from inside a turn: the action will run after the present step.
    case queued
    /// The action came from an effect that had been cancelled, and was dropped.
    case ignored
  }

  /// A follow-up that a step asked for.
  public struct FollowUp: Sendable {
    /// The action.
    public let action: any Action
    /// The store that it is addressed to; nil where it is for all that take it.
    public let target: StoreID?
  }

  /// The number of the step; nil where the action was queued or ignored.
  public let step: UInt64?
  /// How it ended.
  public let verdict: Verdict
  /// Why the step did not commit.
  public let rejection: Rejection?
  /// The actions that the step dispatches next, in order; in replay they are listed and not dispatched.
  public let followUps: [FollowUp]
  /// The names of the effects that the step starts, in order; without live effects they are listed and
  /// not started.
  public let effects: [String]

  static let queued = Outcome(verdict: .queued)
  static let ignored = Outcome(verdict: .ignored)

  private init(verdict: Verdict) {
    self.init(step: nil, verdict: verdict, rejection: nil, followUps: [], effects: [])
  }

  init(
    step: UInt64?, verdict: Verdict, rejection: Rejection?, followUps: [FollowUp],
    effects: [String]
  ) {
    self.step = step
    self.verdict = verdict
    self.rejection = rejection
    self.followUps = followUps
    self.effects = effects
  }
}
