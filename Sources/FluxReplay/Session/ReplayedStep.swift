public import FluxLog

/// What became of an action in a session.
public struct ReplayedStep: Sendable, Equatable {
  /// How a step ended.
  public enum Verdict: Sendable, Equatable {
    /// It committed; ``ReplayedStep/changes`` has what it changed.
    case accepted
    /// It did not commit.
    case rejected(LogRejection)
    /// The app cannot read the action, so nothing ran: why.
    case undecodable(String)
  }

  /// One store that the step changed.
  public struct Change: Sendable, Equatable {
    /// The store, by the name that the app has for it today.
    public var store: String
    /// Its state after the step; nil for a feature that the step removed.
    public var state: JSON?

    /// Makes a change.
    public init(store: String, state: JSON?) {
      self.store = store
      self.state = state
    }
  }

  /// An action that the step asked for.
  public struct FollowUp: Sendable, Equatable {
    /// The action.
    public var action: JSON
    /// The store that it is addressed to.
    public var target: String?

    /// Makes a follow-up.
    public init(action: JSON, target: String? = nil) {
      self.action = action
      self.target = target
    }
  }

  /// The number of the step.
  public var number: UInt64
  /// When it ran.
  public var time: LogTime
  /// The action as the app reads it today; nil where that is the one that was given.
  ///
  /// For a follow-up that the session dispatched, the follow-up.
  public var action: JSON?
  /// The store that a follow-up was addressed to; nil for other steps.
  public var target: String?
  /// The step that a follow-up comes from; nil for other steps.
  public var cause: UInt64?
  /// How it ended.
  public var verdict: Verdict
  /// The stores that it changed, in the order of the app.
  public var changes: [Change]
  /// The actions that it asked for, in order; in ``SessionStart/Mode/simulate`` they are dispatched.
  public var followUps: [FollowUp]
  /// The names of the effects that it asked for; they never run.
  public var effects: [String]

  /// Makes a step; what else there is to say is set afterwards.
  public init(
    number: UInt64, time: LogTime, verdict: Verdict = .accepted, changes: [Change] = [],
    followUps: [FollowUp] = [], effects: [String] = []
  ) {
    self.number = number
    self.time = time
    self.verdict = verdict
    self.changes = changes
    self.followUps = followUps
    self.effects = effects
  }
}
