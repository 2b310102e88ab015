public import FluxLog
import FluxReplay

/// The few actions that lead to something:
/// `{"kept","of","runs","minimal"?,"rejected"?,"fork"?,"through"?,"true"?}`.
public struct Shrunk: CommandResult {
  /// The step of the fork at which the expression is true: `{"step","type"?,"followUpOf"?,"beforeFollowUps"?}`.
  public struct Truth: Sendable, Encodable {
    private enum CodingKeys: String, CodingKey {
      case step, type, cause = "followUpOf", isBeforeFollowUps = "beforeFollowUps"
    }

    /// The number of the step on the fork; null before a step 0.
    public let step: StepNumber
    /// The type of its action; nil for the state at the start of the fork.
    public let type: String?
    /// The step of the last action, if the step is one of its follow-ups.
    public let cause: UInt64?
    /// `true` if this is the action's own step and follow-ups come after it; otherwise nil.
    public let isBeforeFollowUps: Bool?

    init(_ history: ForkHistory, afterSteps count: Int) {
      guard count > 0 else {
        step = StepNumber(history.first > 0 ? history.first - 1 : nil)
        (type, cause, isBeforeFollowUps) = (nil, nil, nil)
        return
      }
      let (action, found) = (history.stepsOfLastAction, history.steps[count - 1])
      (step, type) = (StepNumber(found.number), found.type)
      let isFollowUp = action.lowerBound < count - 1
      cause = isFollowUp ? history.steps[action.lowerBound].number : nil
      isBeforeFollowUps = !isFollowUp && action.count > 1 ? true : nil
    }
  }

  /// The reason why there is no fork.
  package enum Reason: Sendable {
    /// The expression is not true at any step of the log.
    case neverTrue
    /// It is false after the actions up to the step here.
    case falseHere
    /// It is true in the log, and false after the same actions are dispatched again.
    case notAgain
  }

  private enum CodingKeys: String, CodingKey {
    case kept, actionCount = "of", runs, isMinimal = "minimal", rejected, fork, through
    case truth = "true"
  }

  /// The numbers of the recorded steps whose actions are left.
  public let kept: [UInt64]
  /// The number of actions that the search began with.
  public let actionCount: Int
  /// The number of runs in fresh stores.
  public let runs: Int
  /// `false` if the search was interrupted, otherwise nil.
  public let isMinimal: Bool?
  /// The rejection of the last remaining action on the fork; nil if it committed.
  ///
  /// A search ends in a rejection only if the full list of actions does. If the expression asks for a rejection, this is nil.
  public let rejected: LogRejection?
  /// The fork of these actions; nil if the expression does not hold after all of the actions.
  public let fork: Int?
  /// The recorded step whose action is the last one that the search began with, if that is not the one here.
  public let through: UInt64?
  /// The step of the fork at which the expression is true; nil if there is no fork.
  public let truth: Truth?
  /// Remarks on an interrupted search, on an expression that is never true, and on one that may mean something else.
  public let notes: [Note]
  /// The reason why there is no fork; not encoded.
  package let reason: Reason?

  /// Describes a search that found no actions.
  init(
    actionCount: Int, runs: Int = 0, through: UInt64? = nil, reason: Reason, notes: [Note] = []
  ) {
    (kept, self.actionCount, self.runs, fork) = ([], actionCount, runs, nil)
    (isMinimal, rejected, truth) = (nil, nil, nil)
    (self.through, self.reason, self.notes) = (through, reason, notes)
  }

  init(
    _ result: ShrinkResult, rejected: LogRejection?, through: UInt64?, truth: Truth?, fork: Int,
    notes: [Note]
  ) {
    (kept, actionCount, runs) = (result.kept, result.actions, result.runs)
    (self.rejected, self.fork) = (rejected, fork)
    (self.through, self.truth, reason) = (through, truth, nil)
    isMinimal = result.isMinimal ? nil : false
    self.notes =
      notes + (result.isMinimal ? [] : ["interrupted: this is the best result so far"])
  }

  /// 1 if the expression does not hold after all of the actions.
  public var exitCode: Int32 { fork == nil ? 1 : 0 }
}
