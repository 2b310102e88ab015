public import FluxLog

extension Branch {
  /// Begins a branch before a range of recorded steps, and dispatches them again.
  ///
  /// Follow-ups of these steps are not taken from the record: they are made anew, right behind the step
  /// that asks for them. What came from outside, from effects and from observers is dispatched as it is
  /// recorded, at its time. Steps are numbered anew, without holes, so that the random numbers behind
  /// a step that is skipped are others than in the record.
  ///
  /// - Parameters:
  ///   - range: The positions of the steps.
  ///   - timeline: The recording.
  ///   - app: Where the fresh stores come from.
  ///   - skipped: The numbers of steps that are left out.
  ///   - replacements: Other actions in the place of recorded ones, by the steps' numbers; they are
  ///     addressed to whom those were.
  ///   - timeout: How many seconds the app may take over one call; nil for as long as it likes.
  /// - Returns: The branch.
  /// - Throws: ``RedispatchError`` where a step cannot be skipped or replaced, and as
  ///   ``init(at:of:in:timeout:)`` and ``dispatch(_:to:at:)`` do.
  public static func redispatching(
    _ range: Range<Int>, of timeline: Timeline, in app: any ReplayApp,
    skipping skipped: Set<UInt64> = [], replacing replacements: [UInt64: JSON] = [:],
    timeout: Double? = nil
  ) throws -> Branch {
    let range = range.clamped(to: 0..<max(0, timeline.log.count))
    let branch = try Branch(
      at: range.lowerBound - 1, of: timeline, in: app, timeout: timeout)
    try branch.redispatch(range, skipping: skipped, replacing: replacements)
    return branch
  }

  /// Dispatches recorded steps again; the branch has to begin before the first of them.
  ///
  /// - Throws: as ``redispatching(_:of:in:skipping:replacing:timeout:)`` does.
  func redispatch(
    _ range: Range<Int>, skipping skipped: Set<UInt64>, replacing replacements: [UInt64: JSON]
  ) throws {
    let roots = try RedispatchedSteps(range, of: timeline.log)
    for step in skipped.union(replacements.keys).sorted() {
      if let reason = roots.objection(to: step) {
        throw RedispatchError(step: step, reason: reason)
      }
    }
    // So many at a time that a process next door is not asked for each.
    var rest = roots.positions[...]
    while !rest.isEmpty {
      var actions: [BranchAction] = []
      for position in rest.prefix(Branch.batchSize) {
        let step = try timeline.log.step(at: position)
        guard !skipped.contains(step.number) else { continue }
        actions.append(BranchAction(step, replacement: replacements[step.number]))
      }
      rest = rest.dropFirst(Branch.batchSize)
      try run(actions)
    }
    repeatFollowUps(roots)
  }

  static var batchSize: Int { 512 }
}

/// The steps of a range that are dispatched again, and those that follow from them by themselves.
struct RedispatchedSteps {
  /// The positions of the steps that are dispatched.
  private(set) var positions: [Int] = []
  /// The recorded follow-ups that are made anew: the numbers of those that follow up each step, in
  /// order.
  private(set) var followUps: [UInt64: [UInt64]] = [:]
  private var numbers: Set<UInt64> = []
  private var causes: [UInt64: UInt64] = [:]
  private var unseen: Set<UInt64> = []

  init(_ range: Range<Int>, of log: LogFile) throws(LogError) {
    for position in range {
      let step = try log.step(at: position)
      if let cause = step.cause, step.effect == nil, step.from == nil,
        numbers.contains(cause) || causes[cause] != nil
      {
        causes[step.number] = cause
        followUps[cause, default: []].append(step.number)
      } else if step.rejection?.neverRan == true {
        unseen.insert(step.number)
      } else {
        numbers.insert(step.number)
        positions.append(position)
      }
    }
  }

  /// Why a step cannot be skipped or replaced; nil where it can.
  func objection(to step: UInt64) -> RedispatchError.Reason? {
    if numbers.contains(step) { return nil }
    if let cause = causes[step] { return .followUp(of: cause) }
    return unseen.contains(step) ? .neverRan : .notInRange
  }
}

extension BranchAction {
  /// A recorded step, with another action where one is given.
  init(_ step: LogStep, replacement: JSON?) {
    action = ReplayAction(
      time: step.time, action: replacement ?? step.action, target: step.target)
    repeats = step.number
    cause = step.cause
    effect = step.effect
    from = step.from
  }
}

/// Says why steps cannot be dispatched again as was asked for.
public struct RedispatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The step is not among those that are dispatched again.
    case notInRange
    /// The step follows up another one of them, and is made anew by that.
    case followUp(of: UInt64)
    /// No store ever saw the step's action.
    case neverRan
    /// The range does not begin where the branch leaves the recording.
    case elsewhere(position: Int, expected: Int)
  }

  /// The step.
  public let step: UInt64
  /// What is wrong with it.
  public let reason: Reason

  /// What is wrong, and what to do instead.
  public var description: String {
    switch reason {
    case .notInRange: "step \(step) is not in the range to redispatch"
    case .followUp(let cause):
      "step \(step) is a follow-up of step \(cause), which dispatches it again; skip or replace that step"
    case .neverRan:
      "step \(step) never reached a store and is not redispatched, so it cannot be skipped or replaced"
    case .elsewhere:
      "the fork does not begin before step \(step); fork there to redispatch from there on"
    }
  }
}
