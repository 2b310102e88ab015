public import FluxLog

/// A change in the app that the session is attached to: `{"app","step"?}`.
public struct LiveChange: CommandResult, Equatable {
  /// The states of an app.
  public enum State: String, Sendable, Encodable {
    /// Its views show an old model.
    case showing
    /// It ignores the actions of its user.
    case paused
    /// It runs as usual.
    case live
    /// It was set to an old model, and runs as usual.
    case restored
  }

  private enum CodingKeys: String, CodingKey { case state = "app", step }

  /// The state of the app.
  public let state: State
  /// The step whose model the app shows or was set to; nil for the newest.
  public let step: StepNumber?
  /// Remarks about the position; not encoded.
  public var notes: [Note] = []
}

/// The app that dispatches recorded actions again: `{"runs","path"?,"app"?,"process"?}`.
public struct ReplayingApp: CommandResult, Equatable {
  /// The processes in which an app replays.
  public enum Place: String, Sendable, Encodable {
    /// Processes of an executable, one for each session.
    case spawned
    /// The running app that the session is attached to.
    case attached
    /// The process of the session.
    case here
  }

  private enum CodingKeys: String, CodingKey { case place = "runs", path, name = "app", process }

  /// The processes in which it replays.
  public let place: Place
  /// The path of the executable.
  public let path: String?
  /// The name of the running app.
  public let name: String?
  /// The number of its process.
  public let process: UInt64?
}

/// The outcome of an action in the app that the session is attached to: `{"live","steps","changes","rejected"?}`.
public struct LiveDispatch: CommandResult {
  private enum CodingKeys: String, CodingKey { case isLive = "live", steps, changes, rejected }

  /// `true`, to tell it from the outcome on a fork.
  public let isLive = true
  /// The step of the action, and the steps of its follow-ups so far.
  public let steps: [StepSummary]
  /// The changes of all these steps together, and of other steps between them.
  public let changes: [StateChange]
  /// The reason why the action itself did not commit.
  public let rejected: LogRejection?
  /// Remarks; not encoded.
  public let notes: [Note]
}
