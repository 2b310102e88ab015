import FluxLog

/// The follow-ups that steps have asked for and that have not been dispatched yet, in the order of their turns.
struct OwedFollowUps {
  private var owed: [(cause: UInt64, followUp: ReplayedStep.FollowUp)] = []

  /// Takes in what a step asks for.
  mutating func add(_ followUps: [ReplayedStep.FollowUp], from cause: UInt64) {
    owed += followUps.map { (cause, $0) }
  }

  /// Takes in a recorded step, which may be one of them.
  mutating func meet(_ step: LogStep) {
    guard step.effect == nil, step.from == nil,
      let place = owed.firstIndex(where: { $0.cause == step.cause })
    else { return }
    owed.remove(at: place)
  }

  /// Takes the one whose turn it is, if it is this action; redacted values are taken for equal.
  mutating func take(_ action: JSON) -> (cause: UInt64, target: String?)? {
    guard let first = owed.first else { return nil }
    let comparison = StateComparison(tolerance: 0, ignored: nil)
    guard comparison.compare(action, first.followUp.action, at: []).places.isEmpty else {
      return nil
    }
    owed.removeFirst()
    return (first.cause, first.followUp.target)
  }
}
