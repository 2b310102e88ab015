/// Says why steps cannot be dispatched again as was asked for.
public struct RedispatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The step is not among those that are dispatched again.
    case notInRange
    /// The step follows up another one of them, and is made anew by that.
    case followUp(of: UInt64)
    /// No store ever saw the step's action.
    case neverRan
    /// The range does not begin where the branch leaves the recording.
    case elsewhere(position: Int, expected: Int)
  }

  /// The step.
  public let step: UInt64
  /// What is wrong with it.
  public let reason: Reason

  /// What is wrong, and what to do instead.
  public var description: String {
    switch reason {
    case .notInRange: "step \(step) is not in the range to redispatch"
    case .followUp(let cause):
      "step \(step) is a follow-up of step \(cause), which dispatches it again; skip or replace that step"
    case .neverRan:
      "step \(step) never reached a store and is not redispatched, so it cannot be skipped or replaced"
    case .elsewhere:
      "the fork does not begin before step \(step); fork there to redispatch from there on"
    }
  }
}
