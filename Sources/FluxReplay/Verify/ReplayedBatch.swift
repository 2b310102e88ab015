import FluxLog

/// The replayed steps of a batch.
struct ReplayedBatch {
  /// The steps, nil for those that were not run; if the app failed on the way, those before the failure.
  private(set) var steps: [ReplayedStep?] = []
  /// The failure that stopped the app; nil if there was none.
  private(set) var failure: ReplayFailure?

  /// Dispatches the actions of a batch.
  ///
  /// - Throws: ``ReplayFailure`` if the app's answer does not match the batch, or the caller cancelled.
  init(_ batch: RecordedBatch, in session: any ReplaySession) throws(ReplayFailure) {
    do throws(ReplayFailure) {
      let steps = try session.dispatch(batch.actions)
      guard steps.count == batch.actions.count else {
        throw ReplayFailure(
          .protocolViolation(
            found: "\(steps.count) steps of \(batch.actions.count) actions",
            expected: "one step for each action"))
      }
      self.steps = try Self.aligned(steps, with: batch)
    } catch {
      guard error.reason != .cancelled else { throw error }
      steps = try Self.aligned(error.completed, with: batch)
      failure = error
    }
  }

  /// Aligns replayed steps with the recorded ones, as far as there are any.
  private static func aligned(
    _ steps: [ReplayedStep], with batch: RecordedBatch
  ) throws(ReplayFailure) -> [ReplayedStep?] {
    var aligned: [ReplayedStep?] = []
    aligned.reserveCapacity(batch.steps.count)
    var rest = steps[...]
    for step in batch.steps {
      guard step.rejection?.isIntercepted != true else {
        aligned.append(nil)
        continue
      }
      guard let replayed = rest.popFirst() else { break }
      guard replayed.number == step.number else {
        throw ReplayFailure(
          .protocolViolation(
            found: "an answer for step \(replayed.number)", expected: "one for \(step.number)"),
          step: step.number, action: step.type)
      }
      aligned.append(replayed)
    }
    return aligned
  }
}
