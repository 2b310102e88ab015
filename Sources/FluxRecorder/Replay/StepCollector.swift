import FluxCore

/// Collects the steps that a dispatcher makes, with the states that each has left.
final class StepCollector: Middleware, @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`.

  /// A step that is over.
  struct Step {
    let envelope: Envelope
    let outcome: Outcome
    let changes: [(store: StoreID, state: StateSnapshot?)]
  }

  private let lock = Lock()
  private var steps: [Step] = []

  func didDispatch(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model
  ) {
    let changes = changed.map { ($0, model.snapshot(of: $0)) }
    let step = Step(envelope: envelope, outcome: outcome, changes: changes)
    lock.withLock { steps.append(step) }
  }

  /// Hands over what was collected since the last time.
  func take() -> [Step] {
    lock.withLock {
      defer { steps = [] }
      return steps
    }
  }
}
