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
    /// The action was dropped: it came from an effect that had been cancelled, or from inside a step that
    /// is replayed, where the log has it as a step of its own.
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
  /// What few outcomes have; apart, because outcomes are made and let go in every step.
  private let details: Details?

  private final class Details: Sendable {
    let rejection: Rejection?
    let followUps: [FollowUp]
    let effects: [String]

    init(rejection: Rejection?, followUps: [FollowUp], effects: [String]) {
      self.rejection = rejection
      self.followUps = followUps
      self.effects = effects
    }
  }

  /// Why the step did not commit.
  public var rejection: Rejection? { details?.rejection }
  /// The actions that the step dispatches next, in order; in replay they are listed and not dispatched.
  public var followUps: [FollowUp] { details?.followUps ?? [] }
  /// The names of the effects that the step starts, in order; without live effects they are listed and
  /// not started.
  public var effects: [String] { details?.effects ?? [] }

  static let queued = Outcome(nil, .queued)
  static let ignored = Outcome(nil, .ignored)

  /// A step that led to nothing further.
  init(_ step: UInt64?, _ verdict: Verdict) {
    self.step = step
    self.verdict = verdict
    details = nil
  }

  /// A step that asked for something.
  init(_ step: UInt64, _ verdict: Verdict, followUps: [FollowUp], effects: [String]) {
    self.step = step
    self.verdict = verdict
    details = Details(rejection: nil, followUps: followUps, effects: effects)
  }

  /// A step that did not commit.
  init(_ step: UInt64, _ rejection: Rejection) {
    self.step = step
    verdict = .rejected
    details = Details(rejection: rejection, followUps: [], effects: [])
  }
}
