import FluxLog

/// Compares the follow-ups that a replay asks for with those that the log has.
///
/// A follow-up stands in the log as a step of its own, later than the step that asked for it: steps of
/// other threads may come first. But they are taken from one queue: when a step has come that was
/// queued after another one's follow-ups, those have come as well. And a thread that dispatches runs
/// what follows before it dispatches again.
struct FollowUpLedger {
  /// What became of a recorded follow-up.
  enum Finding {
    /// It was asked for.
    case met
    /// Whatever led to it lies before what is replayed.
    case unknown
    /// Nothing asks for it.
    case missing
    /// Something else was asked for in its place.
    case different(ReplayedStep.FollowUp)
  }

  /// A step whose follow-ups have not all come.
  struct Debt {
    let step: LogStep
    var followUps: [ReplayedStep.FollowUp]
  }

  /// The number of the first step that is replayed.
  let first: UInt64
  private var debts: [Debt] = []
  /// The last step that came from outside.
  private var lastRoot: UInt64 = 0

  init(first: UInt64) {
    self.first = first
  }

  /// Takes in what the replay of a step asks for.
  mutating func expect(_ followUps: [ReplayedStep.FollowUp], from step: LogStep) {
    if !followUps.isEmpty { debts.append(Debt(step: step, followUps: followUps)) }
  }

  /// Takes in a recorded step that has a cause; `isSame` tells whether what was asked for is that
  /// step's action.
  mutating func meet(
    _ step: LogStep, isSame: (ReplayedStep.FollowUp) -> Bool
  ) -> Finding {
    guard let cause = step.cause, cause >= first else { return .unknown }
    guard let place = debts.firstIndex(where: { $0.step.number == cause }) else { return .missing }
    let followUp = debts[place].followUps.removeFirst()
    if debts[place].followUps.isEmpty { debts.remove(at: place) }
    return isSame(followUp) ? .met : .different(followUp)
  }

  /// Takes in the next step; takes out the debts that it proves to be overdue.
  mutating func overdue(at step: LogStep) -> [Debt] {
    guard let cause = step.cause else {
      lastRoot = step.number
      return []
    }
    return debts.isEmpty || step.effect != nil ? [] : takeDebts { $0 < cause }
  }

  /// Takes out the debts that are left at the end.
  ///
  /// Where steps follow that are not looked at, or the recorder was not closed, those after the last
  /// step from outside stay: their follow-ups may have been cut off.
  mutating func leftOver(isClosed: Bool) -> [Debt] {
    takeDebts { [lastRoot] in isClosed || $0 < lastRoot }
  }

  /// The steps whose follow-ups cannot be compared, as the record ends before them.
  var undecided: [UInt64] { debts.map(\.step.number) }

  private mutating func takeDebts(where isDue: (UInt64) -> Bool) -> [Debt] {
    let due = debts.filter { isDue($0.step.number) }
    if !due.isEmpty { debts.removeAll { isDue($0.step.number) } }
    return due
  }
}
