import FluxJSON
import FluxSystem

/// The steps that a batch of recorded actions led to in a session of the mode `replay`.
struct ReplayedBatch {
  /// The steps, one for each action; if the app failed on the way, those before the failure.
  private(set) var steps: [ReplayedStep] = []
  /// The failure that stopped the app; nil if there was none.
  private(set) var failure: ReplayFailure?

  init() {}

  /// Dispatches actions with the numbers of their steps.
  ///
  /// - Throws: ``ReplayFailure`` if the app's answer does not match the actions, or the caller cancelled.
  init(_ actions: [ReplayAction], in session: any ReplaySession) throws(ReplayFailure) {
    do throws(ReplayFailure) {
      let steps = try session.dispatch(actions)
      guard steps.count == actions.count else {
        throw ReplayFailure(
          .protocolViolation(
            found: "\(steps.count.counted("step")) of \(actions.count.counted("action"))",
            expected: "one step for each action"))
      }
      try take(steps, of: actions)
    } catch {
      guard error.reason != .cancelled else { throw error }
      try take(error.completed, of: actions)
      failure = error
    }
  }

  private mutating func take(
    _ steps: [ReplayedStep], of actions: [ReplayAction]
  ) throws(ReplayFailure) {
    self.steps = steps
    // By index, because a copy of a step or an action retains a dozen values.
    for index in steps.indices.prefix(actions.count)
    where steps[index].number != actions[index].number {
      let (found, action) = (steps[index].number, actions[index])
      throw ReplayFailure(
        .protocolViolation(
          found: "an answer for step \(found)", expected: "one for \(action.number ?? 0)"),
        step: action.number, action: action.action["type"]?.string)
    }
  }
}
