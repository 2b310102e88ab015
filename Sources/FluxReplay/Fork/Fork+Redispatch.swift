public import FluxJSON
public import FluxLog

extension Fork {
  /// Starts a fork before a range of recorded steps, in the model that the first of them began with, and dispatches them again.
  ///
  /// Recorded follow-ups of these steps are not dispatched: the steps dispatch their own, directly after
  /// themselves. Root actions and actions of effects and observers are dispatched as recorded, at their
  /// times. Steps are numbered again without gaps, and draw the random numbers of the steps that they repeat, so that ids
  /// stay those of the recording.
  ///
  /// - Parameters:
  ///   - range: The positions of the steps.
  ///   - timeline: The recording.
  ///   - app: The source of fresh stores.
  ///   - skipped: The numbers of the steps to leave out.
  ///   - replacements: Actions that replace recorded ones, by the steps' numbers; they keep the recorded
  ///     targets.
  ///   - dropsOrphans: `true` to leave out steps whose causes are left out or rejected on the fork, in as many runs as
  ///     it takes.
  /// - Returns: The fork; ``ForkStep/isOrphan`` marks the orphans that are not left out.
  /// - Throws: ``RedispatchError`` if a step cannot be skipped or replaced, or if the app went back to another model in
  ///   the range, and the errors of ``init(at:of:in:)`` and ``dispatch(_:to:at:)``.
  public static func redispatching(
    _ range: Range<Int>, of timeline: Timeline, in app: any ReplayApp,
    skipping skipped: Set<UInt64> = [], replacing replacements: [UInt64: JSON] = [:],
    droppingOrphans dropsOrphans: Bool = false
  ) throws -> Fork {
    let range = range.clamped(to: 0..<max(0, timeline.log.count))
    var dropped: Set<UInt64> = []
    while true {
      let fork = try Fork(before: range.lowerBound, of: timeline, in: app)
      try fork.redispatch(range, skipping: skipped, dropping: dropped, replacing: replacements)
      let orphans = fork.steps.recordedOrphans
      guard dropsOrphans, !orphans.isEmpty else { return fork }
      // Without them, later steps may be rejected, and leave others without a cause.
      dropped.formUnion(orphans)
      fork.end()
    }
  }

  /// Dispatches recorded steps again; the fork must begin before the first of them.
  func redispatch(
    _ range: Range<Int>, skipping skipped: Set<UInt64>, dropping dropped: Set<UInt64> = [],
    replacing replacements: [UInt64: JSON]
  ) throws {
    let roots = try RedispatchedSteps(range, of: timeline.log, in: app)
    for step in skipped.union(replacements.keys).sorted() {
      if let reason = roots.objection(to: step) {
        throw RedispatchError(step: step, reason: reason)
      }
    }
    try run(each: roots.positions) { position in
      let step = try timeline.log.step(at: position)
      guard !skipped.contains(step.number), !dropped.contains(step.number) else { return nil }
      return ForkAction(
        step, replacement: replacements[step.number],
        followUpTimes: roots.followUpTimes(after: step.number))
    }
    repeatFollowUps(roots)
    droppedOrphans = dropped.sorted()
    lastOfRange = range.last
    missingOfRange = timeline.log.missingNumbers(in: range)
    markOrphans(roots)
  }

  /// Marks the steps that repeat recorded ones whose causes in the range did not happen on the fork, or did not start their
  /// effects there.
  ///
  /// Steps caused by an orphan are orphans as well. A cause that was rejected in the recording too is no reason. Effects are a
  /// reason only if the log and the app tell all of them.
  private func markOrphans(_ recorded: RedispatchedSteps) {
    let tellsEffects = timeline.log.header.recordsEffects && app.tells.contains(.effects)
    /// The places of the steps that happen on the fork, by the recorded numbers.
    var happened: [UInt64: Int] = [:]
    for place in steps.indices {
      guard let repeated = steps[place].repeats else { continue }
      if let cause = recorded.recordedCauses[repeated] {
        let origin = happened[cause]
        let isStarted = origin.map { origin in
          guard tellsEffects, let effect = steps[place].effect else { return true }
          return steps[origin].effects.contains { $0.hasSameBytes(as: effect) }
        }
        guard isStarted == true else {
          history.steps[place].isOrphan = true
          continue
        }
      }
      if steps[place].rejection == nil || recorded.rejected.contains(repeated) {
        happened[repeated] = place
      }
    }
  }
}

extension LogFile {
  /// Returns the numbers that no step has between those of a range, or right before it: of gaps, and of lost lines.
  fileprivate func missingNumbers(in range: Range<Int>) -> [ClosedRange<UInt64>] {
    var missing: [ClosedRange<UInt64>] = []
    var last: UInt64?
    // A fork in the model to which the app went back does not need the steps before that.
    if !isRestored(before: range.lowerBound) {
      last =
        range.lowerBound > 0
        ? number(at: range.lowerBound - 1) : header.first > 0 ? header.first - 1 : nil
    }
    for position in range {
      guard let number = number(at: position) else { continue }
      if let last, number > last + 1 { missing.append(last + 1...number - 1) }
      last = number
    }
    return missing
  }
}

/// The steps of a range to dispatch again, and the follow-ups that these dispatch themselves.
struct RedispatchedSteps {
  private(set) var positions: [Int] = []
  /// The numbers of the recorded follow-ups of each step, in order.
  private(set) var followUps: [UInt64: [UInt64]] = [:]
  /// The causes of steps, of those that are in the range and in the log.
  private(set) var recordedCauses: [UInt64: UInt64] = [:]
  /// The steps that did not commit in the recording.
  private(set) var rejected: Set<UInt64> = []
  private var numbers: Set<UInt64> = []
  /// The causes and the times of the follow-ups, by their numbers.
  private var origins: [UInt64: (cause: UInt64, time: LogTime)] = [:]
  private var unseen: Set<UInt64> = []

  /// - Throws: `LogError` if a step cannot be read, ``ReplayFailure`` if reflection recorded an action, and
  ///   ``RedispatchError`` if the app went back to another model in the range, which these steps cannot repeat.
  init(_ range: Range<Int>, of log: LogFile, in app: AppDescription) throws {
    if let other = log.parts(of: range).dropFirst().first,
      let step = log.number(at: other.lowerBound)
    {
      throw RedispatchError(step: step, reason: .wentBack)
    }
    let first = range.isEmpty ? nil : log.number(at: range.lowerBound)
    for position in range {
      let step = try log.step(at: position)
      if step.rejection != nil { rejected.insert(step.number) }
      if let first, let cause = step.cause, cause >= first, log.position(of: cause) != nil {
        recordedCauses[step.number] = cause
      }
      if let cause = step.followUpCause, numbers.contains(cause) || origins[cause] != nil {
        origins[step.number] = (cause, step.time)
        followUps[cause, default: []].append(step.number)
      } else if step.rejection?.neverRan == true || app.needsDropped(step) {
        unseen.insert(step.number)
      } else {
        try app.refuseReflectedAction(of: step)
        numbers.insert(step.number)
        positions.append(position)
      }
    }
  }

  /// Returns the times of the follow-ups that come right after a step.
  func followUpTimes(after step: UInt64) -> [LogTime] {
    var found: [LogTime] = []
    while let next = origins[step + 1 + UInt64(found.count)] { found.append(next.time) }
    return found
  }

  /// Returns the reason why a step cannot be skipped or replaced; nil if it can.
  func objection(to step: UInt64) -> RedispatchError.Reason? {
    if numbers.contains(step) { return nil }
    if let cause = origins[step]?.cause { return .followUp(of: cause) }
    return unseen.contains(step) ? .neverRan : .notInRange
  }
}

extension ForkAction {
  /// Repeats a recorded step; `followUpTimes` are those of the follow-ups that come right after it.
  init(_ step: LogStep, replacement: JSON?, followUpTimes: [LogTime]) {
    // Without earlier steps it has another number, and the ids that later actions name are still those of the recording.
    action = ReplayAction(
      time: step.time, action: replacement ?? step.action, target: step.target,
      secrets: step.secrets, randomStep: step.randomStep ?? step.number)
    action.followUpTimes = followUpTimes
    repeats = step.number
    cause = step.cause
    effect = step.effect
    from = step.from
  }
}

/// A request to dispatch steps again, or to skip or replace one, that cannot be fulfilled.
public struct RedispatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The problem.
  public enum Reason: Equatable, Sendable {
    /// The step is not in the range.
    case notInRange
    /// The step is a follow-up of another one in the range, which dispatches it again.
    case followUp(of: UInt64)
    /// The step's action never reached a store, or the app dropped the action or its store.
    case neverRan
    /// The app went back to another model right before the step.
    case wentBack
  }

  /// The step.
  public let step: UInt64
  /// The problem.
  public let reason: Reason

  /// The problem and the remedy.
  public var description: String {
    switch reason {
    case .notInRange: "step \(step) is not in the range to redispatch"
    case .followUp(let cause):
      "step \(step) is a follow-up of step \(cause), which dispatches it again; skip or replace that step"
    case .neverRan:
      "step \(step) never reached a store and is not redispatched, so it cannot be skipped or replaced"
    case .wentBack:
      "before step \(step) the app went back to another model, which a fork cannot do; redispatch the steps from \(step) "
        + "on, or those before it"
    }
  }
}
