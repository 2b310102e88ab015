import FluxJSON
import FluxLog

/// Compares the steps of a stretch with their replay, in order.
struct StepComparer {
  private let context: ComparisonContext
  private(set) var states: ComparedStates
  private var followUps: FollowUpLedger
  private let returned: ReturnedEffects
  /// Finds the redacted value on which a divergence depends; nil to report every divergence.
  private let redactedInputs: RedactedInputCheck?
  /// The steps that did not run because the app dropped what they need.
  private var dropped: Set<UInt64> = []
  /// The first step that diverged since the states last matched.
  private var firstDivergence: UInt64?
  private(set) var divergences: [Divergence] = []
  private(set) var comparedSteps = 0
  private(set) var notCompared = NotComparedCounts()
  /// The steps whose outcomes depend, or may depend, on a redacted value.
  private var undetermined: Set<UInt64> = []
  /// The first of them.
  private(set) var firstUndetermined: UndeterminedStep?

  init(
    _ context: ComparisonContext, recorded: StoreDictionary<JSON>, first: UInt64,
    returned: ReturnedEffects, lost: StoreDictionary<[[String]]> = [:],
    redactedInputs: RedactedInputCheck? = nil
  ) {
    self.context = context
    self.returned = returned
    self.redactedInputs = redactedInputs
    states = ComparedStates(context, recorded: recorded, lost: lost)
    followUps = FollowUpLedger(first: first)
  }

  /// Compares a step with its replay; the changes have the log's names, in the app's current form.
  ///
  /// - Returns: `false` if the states of the replay are wrong after it: the step needed a value that the log does not have,
  ///   or its outcome depends on one.
  mutating func compare(_ recorded: RecordedStep, with replayed: ReplayedStep) throws -> Bool {
    let step = recorded.step
    guard countHiddenValue(of: step, replayed) else {
      return try compare(step, recorded.changes, replayed)
    }
    try compareEarlierFollowUps(before: step)
    try compareFollowUp(step, action: step.action)
    return false
  }

  /// Counts a step that needed a value that the log does not have; returns `false` if it needed none.
  ///
  /// Such a value is that of a secret, one at a place that a type does not accept without it, or the state of a store
  /// that is not compared.
  private mutating func countHiddenValue(of step: LogStep, _ replayed: ReplayedStep) -> Bool {
    if replayed.needsSecret {
      notCompared.add(.secrets, at: String(step.number))
    } else if case .undecodable = replayed.outcome, let place = replayed.redacted {
      notCompared.add(
        .redactedActions, at: "\(place.isEmpty ? "the payload" : place) of step \(step.number)")
    } else if context.isUndecided(step, replayed) {
      notCompared.add(.undecided)
    } else {
      return false
    }
    return true
  }

  /// Skips a step that did not run: the app dropped what it needs, or a middleware or Redux DevTools had rejected it.
  ///
  /// - Returns: `false` if the states of the replay are wrong after it: a dropped step changed stores that the app has.
  mutating func skip(_ recorded: RecordedStep) throws -> Bool {
    let step = recorded.step
    try compareEarlierFollowUps(before: step)
    guard !context.app.needsDropped(step) else {
      notCompared.add(.dropped)
      dropped.insert(step.number)
      return !recorded.changes.contains { context.appName(of: $0.store) != nil }
    }
    notCompared.add(step.rejection?.isImported == true ? .imported : .intercepted)
    try compareFollowUp(step, action: step.action)
    try compareEffects(step, nil)
    return true
  }

  /// Compares a step that needed no hidden value with its replay.
  ///
  /// These calls are all that verify compares. Each reports a difference with its own `Divergence.Kind`; a part
  /// of the recording that it cannot compare is a case of `NotCompared`.
  mutating func compare(
    _ step: LogStep, _ changes: [RecordedChange], _ replayed: ReplayedStep
  ) throws -> Bool {
    comparedSteps += 1
    try compareEarlierFollowUps(before: step)
    try compareFollowUp(step, action: replayed.action(of: step))
    let isSameOutcome = try compareOutcome(step, replayed)
    for found in try states.advance(over: changes, of: step, replayed, &notCompared)
    where isSameOutcome {
      try add(found, step)
    }
    if isSameOutcome { try compareEffects(step, replayed) }
    if states.areSame { firstDivergence = nil }
    if step.rejection == nil { followUps.expect(replayed.followUps, from: step) }
    countUncompared(step, replayed)
    guard undetermined.contains(step.number) else { return true }
    comparedSteps -= 1
    return false
  }

  /// Counts the parts of a compared step for which there is no comparison.
  private mutating func countUncompared(_ step: LogStep, _ replayed: ReplayedStep) {
    if step.from == LogStep.observer { notCompared.add(.observers) }
    for _ in 0..<replayed.unusedSecrets {
      notCompared.add(.surplusSecrets, at: "step \(step.number)")
    }
    if let today = replayed.action {
      for place in context.places(of: step.action, lostIn: today) {
        notCompared.add(.lostPayloads, at: "\(place) of step \(step.number)")
      }
    }
    if step.rejection != nil, case .rejected = replayed.outcome {
      for _ in 0..<replayed.followUps.count + replayed.effectNames.count {
        notCompared.add(.rejectedRequests, at: "step \(step.number)")
      }
    }
    if step.rejection == nil, !context.log.header.recordsEffects {
      let returned = returned.started(by: step.number)
      let unlisted = replayed.effectNames.count - returned.count
      notCompared.add(.unlistedEffects, count: unlisted)
    }
  }

  /// `true` if a compared step dispatches follow-ups that have not appeared yet.
  var owesFollowUps: Bool { !followUps.isSettled }

  /// Passes a step after the comparison, which may be a follow-up of a compared step.
  mutating func pass(_ step: LogStep) throws {
    try compareEarlierFollowUps(before: step)
    if step.followUpCause != nil { _ = followUps.meet(step) { _ in true } }
  }

  /// Ends the comparison: reports the follow-ups that would be in the log, and counts the others.
  ///
  /// `isClosed` is `true` if the log has all that followed; `ending` is the reason why it may not have the others.
  /// `mixesChains` returns whether follow-ups may come behind root steps that were queued later.
  ///
  /// - Throws: `LogError` if the log cannot be read, and `ReplayFailure` if the caller cancelled.
  mutating func settle(
    isClosed: Bool, _ ending: NotCompared, mixesChains: () throws(LogError) -> Bool
  ) throws {
    let due = try followUps.leftOver(isClosed: isClosed, mixesChains: mixesChains)
    for debt in due { try report(debt) }
    for step in followUps.undecided { notCompared.add(ending, at: String(step)) }
  }

  /// Returns `true` if the compared step differs in the same way as a divergence, at its place.
  func differs(as found: Divergence) -> Bool {
    guard found.kind == .different, let store = found.store, let path = found.path else {
      return divergences.contains { $0.kind == found.kind && $0.recorded == found.recorded }
    }
    return states.differ(in: store, at: path)
  }

  /// Adds a divergence, which may follow from the first one if the states still differ.
  private mutating func add(_ found: Divergence, _ step: LogStep) throws {
    var divergence = try context.locate(found, at: step)
    if let firstDivergence, firstDivergence < step.number { divergence.suspect = firstDivergence }
    guard !undetermined.contains(divergence.first) else { return }
    if let finding = try redactedInputs?.finding(for: divergence) {
      undetermined.insert(divergence.first)
      if firstUndetermined == nil {
        let link = divergence.chain.first { $0.number == divergence.first }
        firstUndetermined = UndeterminedStep(
          number: divergence.first, action: link?.type ?? step.type, place: finding.place)
      }
      notCompared.add(
        finding.isProven ? .redactedInputs : .untestedInputs,
        at: "\(finding.place) at step \(divergence.first)")
      return
    }
    divergences.append(divergence)
    firstDivergence = firstDivergence ?? step.number
  }

  /// Compares the effects of a step; `replayed` is nil if the step did not run.
  private mutating func compareEffects(_ step: LogStep, _ replayed: ReplayedStep?) throws {
    let needed = returned.started(by: step.number)
    // Most steps have no effects.
    let hasNone =
      step.effects.isEmpty && replayed?.effects.isEmpty ?? true
      && replayed?.storeEffects?.isEmpty ?? true
    if hasNone, needed.isEmpty { return }
    var effects = EffectComparison(step, context)
    effects.compare(replayed, returned: needed)
    // An app that tells the effects that it starts leaves out at most those that it cancels.
    notCompared.add(
      context.app.tells.contains(.effects) ? .untoldCancels : .untoldEffects, count: effects.untold)
    notCompared.add(.skippedEffects, count: effects.skipped)
    for found in effects.differences { try add(found, step) }
  }
}

// MARK: The outcome

extension StepComparer {
  /// Compares the outcomes; returns `true` if the states can be compared.
  private mutating func compareOutcome(_ step: LogStep, _ replayed: ReplayedStep) throws -> Bool {
    let new: LogRejection?
    switch replayed.outcome {
    case .accepted: new = nil
    case .rejected(let rejection): new = rejection
    case .undecodable(let why):
      if step.rejection?.neverRan == true { return true }
      var found = Divergence(.undecodable, of: step)
      found.reason =
        RedactionToken.isAnywhere(in: step.action)
        ? "its payload is redacted in the log, and the app cannot decode the token"
        : why
      try add(found, step)
      return false
    }
    if let old = step.rejection, let new,
      [old.store, new.store.map(context.logName)].contains(where: { $0.map(context.skips) ?? false }
      )
    {
      return true
    }
    switch context.compareRejection(new, of: step, state: { states.recorded[$0] }) {
    case .same: break
    case .different(let found): try add(found, step)
    case .notCompared(let part): notCompared.add(part)
    }
    return (step.rejection == nil) == (new == nil)
  }
}

// MARK: Follow-ups

extension StepComparer {
  /// Reports the follow-ups of earlier steps that would be in the log by now.
  private mutating func compareEarlierFollowUps(before step: LogStep) throws {
    for debt in followUps.overdue(at: step) { try report(debt) }
  }

  private mutating func report(_ debt: FollowUpLedger.Debt) throws {
    guard context.unfit.isEmpty else {
      notCompared.add(.skippedFollowUps, count: debt.followUps.count)
      return
    }
    for followUp in debt.followUps {
      try add(Divergence(.extra, of: debt.step, replayed: followUp.json), debt.step)
    }
  }

  /// Compares a recorded follow-up with the one that its cause dispatches now.
  private mutating func compareFollowUp(_ step: LogStep, action: JSON) throws {
    // A cause that is not an earlier step is a fault of the log, which the notes name.
    guard let cause = step.followUpCause, cause == step.earlierCause else { return }
    guard cause >= followUps.first, !dropped.contains(cause) else {
      notCompared.add(.causes)
      return
    }
    guard context.app.reducers == .steps else {
      notCompared.add(.untoldFollowUps)
      return
    }
    let asked = ReplayedStep.FollowUp(
      action: action, target: step.target.map(context.app.storeName))
    let match = followUps.meet(step, isOthers: context.skipsStores) { [context] followUp in
      followUp.target.map(BytewiseName.init) == asked.target.map(BytewiseName.init)
        && context.isSame(asked.action, followUp.action)
    }
    switch match {
    case .met: return
    case .missing where context.skipsStores: notCompared.add(.skippedFollowUps)
    case .missing: try add(Divergence(.missing, of: step, recorded: asked.json), step)
    case .different(let new):
      try add(
        Divergence(.followUp, of: step, recorded: asked.json, replayed: new.json), step)
    }
  }
}
