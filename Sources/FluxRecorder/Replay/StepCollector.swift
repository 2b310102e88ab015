import FluxCore

/// Collects a dispatcher's steps, with the states that each step changed.
final class StepCollector: Middleware, @unchecked Sendable {
  // Sendable: the variable `steps` is guarded by `lock`.

  /// A finished step.
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

  /// Returns the steps since the last call, and removes them.
  func take() -> [Step] {
    lock.withLock {
      defer { steps = [] }
      return steps
    }
  }
}
