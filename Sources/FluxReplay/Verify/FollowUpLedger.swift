import FluxLog

/// Compares the follow-ups that replayed steps dispatch with the recorded ones.
///
/// In the log, a follow-up is a separate step, later than its cause; steps of other threads may come in
/// between. All steps come from one queue: once a step has run that was queued after another step's
/// follow-ups, those have run as well. A step queues its follow-ups before it starts its effects. A thread that
/// dispatches also runs the follow-ups before it dispatches again, but other threads may have queued root actions before
/// them, and so may `enqueue`.
struct FollowUpLedger {
  /// The result of looking for a recorded follow-up.
  enum Match {
    /// The replay dispatches it.
    case met
    /// No replayed step dispatches it.
    case missing
    /// The replay dispatches another action in its place.
    case different(ReplayedStep.FollowUp)
  }

  /// A step whose follow-ups have not all appeared.
  struct Debt {
    let step: LogStep
    var followUps: [ReplayedStep.FollowUp]
  }

  let first: UInt64
  private var debts: [Debt] = []
  private var lastRoot: UInt64 = 0

  init(first: UInt64) {
    self.first = first
  }

  mutating func expect(_ followUps: [ReplayedStep.FollowUp], from step: LogStep) {
    if !followUps.isEmpty { debts.append(Debt(step: step, followUps: followUps)) }
  }

  /// Matches a recorded step that has a cause; `isSame` compares an expected follow-up with it.
  ///
  /// `isOthers` tells that a store that is not compared may have asked for the recorded one. Then another
  /// follow-up does not stand in its place.
  mutating func meet(
    _ step: LogStep, isOthers: Bool = false, isSame: (ReplayedStep.FollowUp) -> Bool
  ) -> Match {
    guard let place = debts.firstIndex(where: { $0.step.number == step.cause }) else {
      return .missing
    }
    let index = isOthers ? debts[place].followUps.firstIndex(where: isSame) : 0
    guard let index else { return .missing }
    let followUp = debts[place].followUps.remove(at: index)
    if debts[place].followUps.isEmpty { debts.remove(at: place) }
    return isSame(followUp) ? .met : .different(followUp)
  }

  /// Returns and removes the debts that the next step proves to be overdue.
  mutating func overdue(at step: LogStep) -> [Debt] {
    guard step.cause != nil else {
      lastRoot = step.number
      return []
    }
    guard !debts.isEmpty, let cause = step.earlierCause else { return [] }
    return takeDebts { $0 < cause || step.effect != nil && $0 == cause }
  }

  /// Returns and removes the debts that remain at the end.
  ///
  /// If more steps follow, or the log was not closed, the debts after the last root step stay: their
  /// follow-ups may have been cut off. If the log mixes chains, all debts stay.
  ///
  /// - Throws: The errors of `mixesChains`, which is called only if that matters.
  mutating func leftOver(
    isClosed: Bool, mixesChains: () throws(LogError) -> Bool
  ) throws(LogError) -> [Debt] {
    let isDue = { [lastRoot] in isClosed || $0 < lastRoot }
    guard debts.contains(where: { isDue($0.step.number) }) else { return [] }
    if !isClosed, try mixesChains() { return [] }
    return takeDebts(where: isDue)
  }

  /// `true` if no follow-up is owed.
  var isSettled: Bool { debts.isEmpty }

  /// The steps whose follow-ups cannot be compared, because the log ends before them.
  var undecided: [UInt64] { debts.map(\.step.number) }

  private mutating func takeDebts(where isDue: (UInt64) -> Bool) -> [Debt] {
    let due = debts.filter { isDue($0.step.number) }
    if !due.isEmpty { debts.removeAll { isDue($0.step.number) } }
    return due
  }
}

extension LogFile {
  /// Returns `true` if a root step comes between a step and a follow-up of it anywhere in the log, because several threads
  /// dispatch, or one enqueues.
  func mixesChains() throws(LogError) -> Bool {
    var rest = 0..<count
    // The steps from `chain` to `last` all have causes.
    var (chain, last) = (0, -1)
    while let position = position(in: rest, shapeWhere: { $0.hasCause }) {
      rest = position + 1..<rest.upperBound
      if position != last + 1 { chain = position }
      last = position
      let step = try LogError.unlessDamaged { () throws(LogError) in try self.step(at: position) }
      guard let origin = self.position(ofCause: step?.followUpCause, before: position) else {
        continue
      }
      if origin + 1 < chain { return true }
    }
    return false
  }
}
