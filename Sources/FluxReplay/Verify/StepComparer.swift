import FluxJSON
import FluxLog

/// Compares the steps of a stretch with their replay, in order.
struct StepComparer {
  private let context: ComparisonContext
  /// The recorded states, in the app's current form.
  private var recorded: StoreDictionary<JSON>
  /// The replayed states of the stores that differ from the log; nil for an absent one.
  private var differing: StoreDictionary<JSON?> = [:]
  /// The places that are known to differ, by store: later differences there follow from that.
  ///
  /// A store without such places is left out. Ignored and redacted places, and stores that are new in the
  /// app, do not count.
  private var known: StoreDictionary<Set<[String]>> = [:]
  private var followUps: FollowUpLedger
  /// The first step that diverged since the states last matched.
  private var firstDivergence: UInt64?
  private(set) var divergences: [Divergence] = []
  private(set) var redacted: Set<[String]> = []
  private(set) var comparedSteps = 0
  /// The number of steps that did not run because a middleware had rejected them.
  private(set) var interceptedSteps = 0

  init(_ context: ComparisonContext, recorded: StoreDictionary<JSON>, first: UInt64) {
    self.context = context
    self.recorded = recorded
    followUps = FollowUpLedger(first: first)
  }

  /// Skips a step that did not run because a middleware had rejected it.
  mutating func skip(_ step: LogStep) throws {
    interceptedSteps += 1
    try settleOverdue(at: step)
    try meetFollowUp(step, action: step.action)
  }

  /// Compares a step with its replay; the changes have the log's names, in the app's current form.
  mutating func compare(
    _ step: LogStep, _ changes: [RecordedChange], with replayed: ReplayedStep
  ) throws {
    comparedSteps += 1
    try settleOverdue(at: step)
    try meetFollowUp(step, action: replayed.action ?? step.action)
    let isSameEnd = try compareEnds(step, replayed)
    try compareStates(step, changes, replayed, reports: isSameEnd)
    if known.isEmpty { firstDivergence = nil }
    if step.rejection == nil { followUps.expect(replayed.followUps, from: step) }
  }

  /// Ends the comparison; returns the steps whose follow-ups could not be compared.
  ///
  /// `isClosed` tells that the log has all that followed.
  mutating func finish(isClosed: Bool) throws -> [UInt64] {
    for debt in followUps.leftOver(isClosed: isClosed) { try report(debt) }
    return followUps.undecided
  }

  // MARK: How it ended

  /// Compares the outcomes; returns `true` if the states can be compared.
  private mutating func compareEnds(_ step: LogStep, _ replayed: ReplayedStep) throws -> Bool {
    switch (step.rejection, replayed.verdict) {
    case (nil, .accepted): return true
    case (let old?, .undecodable) where old.neverRan: return true
    case (_, .undecodable(let why)):
      var divergence = Divergence(.undecodable, step: step.number, action: step.action)
      divergence.reason = consequence(at: step) ?? why
      if RedactionToken.isAnywhere(in: step.action) {
        divergence.reason =
          "its payload is redacted in the log, and the app cannot decode the token"
      }
      try add(divergence, step)
      return false
    case (nil, .rejected(let new)):
      var divergence = Divergence(
        .rejected, step: step.number, action: step.action, replayed: new.json)
      divergence.store = new.store
      divergence.reason = consequence(at: step)
      try add(divergence, step)
      return false
    case (let old?, .accepted):
      var divergence = Divergence(
        .accepted, step: step.number, action: step.action, recorded: old.json)
      divergence.store = old.store
      divergence.reason = consequence(at: step)
      try add(divergence, step)
      return false
    case (let old?, .rejected(let new)):
      // The message is text for people, and its wording may change.
      if old.reason == new.reason, old.store.map(context.app.storeName) == new.store { return true }
      var divergence = Divergence(
        .rejected, step: step.number, action: step.action, recorded: old.json, replayed: new.json)
      divergence.store = new.store
      divergence.reason = consequence(at: step)
      try add(divergence, step)
      return true
    }
  }

  /// Returns the reason of a step after another one that diverged.
  private func consequence(at step: LogStep) -> String? {
    guard let firstDivergence, firstDivergence < step.number else { return nil }
    return LikelyReason.consequence(of: firstDivergence)
  }

  // MARK: States

  private mutating func compareStates(
    _ step: LogStep, _ changes: [RecordedChange], _ replayed: ReplayedStep, reports: Bool
  ) throws {
    for change in changes {
      let before = recorded[change.store]
      recorded[change.store] = change.state
      guard let name = context.appName(of: change.store) else { continue }
      let new = replayed.changes.first { $0.store.hasSameBytes(as: name) }
      let state = new.map(\.state) ?? differing[change.store] ?? before
      try compare(step, change.store, change.state, state, reports)
    }
    for new in replayed.changes {
      let store = context.logName(of: new.store)
      guard !changes.contains(where: { $0.store.hasSameBytes(as: store) }) else { continue }
      try compare(step, store, recorded[store], new.state, reports)
    }
  }

  private mutating func compare(
    _ step: LogStep, _ store: String, _ recorded: JSON?, _ replayed: JSON?, _ reports: Bool
  ) throws {
    // Compares bytes first: usually the same encoder wrote both.
    guard recorded != replayed else {
      if !differing.isEmpty {
        differing[store] = nil
        known[store] = nil
      }
      return
    }
    differing[store] = .some(replayed)
    guard context.knowsStore(store) else { return }
    let result = try context.compare(recorded, replayed, store)
    redacted.formUnion(result.redacted)
    let before = known[store] ?? []
    known[store] = result.places.isEmpty ? nil : Set(result.places.map(\.tokens))
    let fresh = result.places.filter { place in !before.containsPrefix(of: place.tokens) }
    guard reports, let first = fresh.first else { return }
    var divergence = Divergence(
      .different, step: step.number, action: step.action, recorded: first.recorded,
      replayed: first.replayed)
    divergence.store = store
    divergence.path = Pointer(tokens: first.tokens)
    divergence.others = fresh.count - 1
    let inStore = StateComparison.Place(
      tokens: Array(first.tokens.dropFirst()), recorded: first.recorded, replayed: first.replayed)
    divergence.reason =
      consequence(at: step)
      ?? LikelyReason.ofDifference(inStore, in: (recorded, replayed), now: context.now)
    try add(divergence, step)
  }

  // MARK: Follow-ups

  private mutating func settleOverdue(at step: LogStep) throws {
    for debt in followUps.overdue(at: step) { try report(debt) }
  }

  private mutating func report(_ debt: FollowUpLedger.Debt) throws {
    for followUp in debt.followUps {
      try add(
        Divergence(
          .extra, step: debt.step.number, action: debt.step.action, replayed: followUp.json),
        debt.step)
    }
  }

  /// Compares a recorded follow-up with the one that its cause dispatches now.
  private mutating func meetFollowUp(_ step: LogStep, action: JSON) throws {
    guard step.cause != nil, step.effect == nil, step.from == nil else { return }
    let asked = ReplayedStep.FollowUp(
      action: action, target: step.target.map(context.app.storeName))
    let finding = followUps.meet(step) { [context] followUp in
      followUp.target == asked.target && context.isSame(asked.action, followUp.action)
    }
    var divergence: Divergence
    switch finding {
    case .met, .unknown: return
    case .missing:
      divergence = Divergence(
        .missing, step: step.number, action: step.action, recorded: asked.json)
    case .different(let followUp):
      divergence = Divergence(
        .followUp, step: step.number, action: step.action, recorded: asked.json,
        replayed: followUp.json)
    }
    divergence.reason = consequence(at: step)
    try add(divergence, step)
  }

  private mutating func add(_ divergence: Divergence, _ step: LogStep) throws {
    var divergence = divergence
    divergence.chain = try context.log.chain(from: step)
    divergence.line = try context.log.position(atOrBefore: step.number)
      .flatMap { (position) throws(LogError) in try context.log.lineNumber(at: position) }
    divergences.append(divergence)
    firstDivergence = firstDivergence ?? step.number
  }
}

extension Set<[String]> {
  /// Returns `true` if the set contains the place or one around it.
  fileprivate func containsPrefix(of tokens: [String]) -> Bool {
    guard !isEmpty else { return false }
    return (0...tokens.count).contains { contains(Array(tokens.prefix($0))) }
  }
}
