public import FluxJSON
public import FluxLog
public import FluxReplay

/// A fork in numbers: `{"fork","at","steps"}`.
public struct ForkSummary: CommandResult, Equatable {
  private enum CodingKeys: String, CodingKey {
    case number = "fork", base = "at", stepCount = "steps"
  }

  /// The number of the fork: 1 for the first, never used again.
  public let number: Int
  /// The recorded step after which the fork leaves the recording.
  public let base: StepNumber
  /// The number of steps on the fork.
  public let stepCount: Int
  /// Remarks about the position of the fork.
  public var notes: [Note] = []
}

/// All forks: `{"forks","current"?}`.
public struct ForkList: CommandResult {
  /// The forks, by number.
  public let forks: [ForkSummary]
  /// The number of the fork that the session works on; nil on the recording.
  public let current: Int?
}

/// A step of a fork: `{"n","t","type","changed","cause"?,"repeats"?,"orphan"?,"rejected"?,"effects"?}`.
public struct ForkStepSummary: Sendable, Encodable {
  private enum CodingKeys: String, CodingKey {
    case number = "n", t, type, changed, cause, repeats, isOrphan = "orphan", rejected, effects
  }

  /// The number of the step.
  public let number: UInt64
  /// The time of its dispatch.
  public let t: Seconds
  /// The type of its action.
  public let type: String
  /// The stores that it changed.
  public let changed: [String]
  /// The step that caused it.
  public let cause: UInt64?
  /// The recorded step that it repeats.
  public let repeats: UInt64?
  /// `true` if its recorded cause was left out or rejected on the fork; otherwise nil.
  public let isOrphan: Bool?
  /// The reason why it did not commit.
  public let rejected: LogRejection?
  /// The effects that it asked for, which do not run on a fork; nil if there are none.
  public let effects: [String]?
  /// The payload of its action; not encoded.
  public let payload: JSON?

  init(_ step: ForkStep) {
    (number, t, type) = (step.number, Seconds(step.time), step.type)
    changed = step.changed
    (cause, repeats) = (step.cause, step.repeats)
    isOrphan = step.isOrphan ? true : nil
    rejected = step.rejection
    effects = step.effects.isEmpty ? nil : step.effects
    payload = step.action.actionContent
  }
}

/// The steps of a fork as they are shown, each created when it is read.
public struct ForkStepSummaries: RandomAccessCollection, Sendable, Encodable {
  private let steps: [ForkStep]

  init(_ steps: [ForkStep]) { self.steps = steps }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { steps.count }
  /// The step at an index.
  public subscript(index: Int) -> ForkStepSummary { ForkStepSummary(steps[index]) }

  /// Encodes the steps as an array.
  public func encode(to encoder: any Encoder) throws {
    var elements = encoder.unkeyedContainer()
    for step in self { try elements.encode(step) }
  }
}

/// The steps of a fork around the one here: `{"fork","at","steps"}`.
public struct ForkSteps: CommandResult {
  private enum CodingKeys: String, CodingKey { case fork, base = "at", steps }

  /// The number of the fork.
  public let fork: Int
  /// The recorded step after which the fork leaves the recording.
  public let base: StepNumber
  /// The steps.
  public let steps: ForkStepSummaries
  /// The number of the step here, or of the one before the fork; not encoded.
  package let here: StepNumber
  /// The number of all steps of the fork; not encoded.
  package let count: Int
}

/// The outcome of an action on a fork: `{"fork","steps","changes","rejected"?}`.
public struct Dispatched: CommandResult {
  private enum CodingKeys: CodingKey { case fork, steps, changes, rejected }

  /// The number of the fork.
  public let fork: Int
  /// The step of the action, and the steps of its follow-ups.
  public let steps: [ForkStepSummary]
  /// The changes of all these steps together.
  public let changes: [StateChange]
  /// The reason why the action itself did not commit.
  public let rejected: LogRejection?
  /// The changes as people read them; not encoded.
  package let readable: [ReadableDifference.Entry]

  init(fork: Int, steps: [ForkStepSummary], difference: Difference) {
    (self.fork, self.steps, changes) = (fork, steps, difference.changes)
    rejected = steps.first?.rejected
    readable = difference.readable
  }
}

/// A fork compared with the recording:
/// `{"fork","first"?,"recorded","changes","unknown"?,"divergences"?,"divergenceCount"?,"uncomparedSteps"?,"missingSteps"?}`.
public struct ForkDifference: CommandResult {
  /// The first step that leads to different states: `{"step","recorded","changes"}`.
  public struct First: Sendable, Encodable {
    private enum CodingKeys: CodingKey { case step, recorded, changes }

    /// The number of the step on the fork.
    public let step: UInt64
    /// The number of the recorded step that it repeats.
    public let recorded: UInt64
    /// The changes that turn the recorded states into those of the fork.
    public let changes: [StateChange]
    /// The changes as people read them; not encoded.
    package let readable: [ReadableDifference.Entry]
  }

  /// Steps that are not in the log: `{"from","to"}`, with both ends.
  public struct MissingSteps: Sendable, Equatable, Encodable {
    /// The number of the first.
    public let from: UInt64
    /// The number of the last.
    public let to: UInt64
  }

  fileprivate enum CodingKeys: CodingKey {
    case fork, steps, orphans, first, recorded, changes, unknown, divergences, divergenceCount
    case uncomparedSteps, missingSteps
  }

  /// The number of the fork.
  public let fork: Int
  /// The first step that leads to different states; nil if there is none.
  public let first: First?
  /// The recorded step whose states the last ones of the fork are compared with: the last that it repeats, or that the range
  /// has.
  public let recorded: UInt64
  /// The changes that turn the states of that step into the last states of the fork.
  public let changes: [StateChange]
  /// The stores whose states after that step are not in the log, so that these were not compared; nil for none.
  public let unknown: [String]?
  /// The steps that are accepted on one side only, are rejected with another message, or ask for other effects, with the
  /// recorded numbers; nil if there are none.
  public let divergences: [Divergence]?
  /// The number of these, if there are more.
  public let divergenceCount: Int?
  /// The number of steps whose recorded states are not all in the log, so that these were not compared; nil for none.
  public let uncomparedSteps: Int?
  /// The steps of gaps and lost lines in the range that was dispatched again, which the fork cannot repeat; nil for none.
  public let missingSteps: [MissingSteps]?

  /// The changes as people read them; not encoded.
  package let readable: [ReadableDifference.Entry]

  init(fork: Int, _ comparison: ForkComparison, identities: [Pointer: String]) {
    func readable(_ models: ForkComparison.Models) -> [ReadableDifference.Entry] {
      let step = StepNumber(nil)
      return Difference(
        from: step, models.recorded, to: step, models.fork, identities: identities
      ).readable
    }
    self.fork = fork
    first = comparison.first.map { first in
      First(
        step: first.step, recorded: first.recordedStep,
        changes: first.changes.map { StateChange($0) },
        readable: readable(first.models))
    }
    recorded = comparison.lastRecordedStep
    changes = comparison.final.map { StateChange($0) }
    unknown = comparison.unknownStores.isEmpty ? nil : comparison.unknownStores
    divergences = comparison.divergences.isEmpty ? nil : comparison.divergences
    divergenceCount =
      comparison.divergenceCount > comparison.divergences.count ? comparison.divergenceCount : nil
    uncomparedSteps = comparison.uncomparedSteps > 0 ? comparison.uncomparedSteps : nil
    missingSteps =
      comparison.missingSteps.isEmpty
      ? nil
      : comparison.missingSteps.map { MissingSteps(from: $0.lowerBound, to: $0.upperBound) }
    self.readable = readable(comparison.finalModels)
  }

  /// `true` if every step led to the recorded states.
  public var isSame: Bool { first == nil && changes.isEmpty }

  /// 1 if anything differs.
  public var exitCode: Int32 { isSame && divergences == nil ? 0 : 1 }

  /// Encodes the comparison.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(fork, forKey: .fork)
    try encodeFindings(in: &members)
  }

  fileprivate func encodeFindings(
    in members: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    try members.encodeIfPresent(first, forKey: .first)
    try members.encode(recorded, forKey: .recorded)
    try members.encode(changes, forKey: .changes)
    try members.encodeIfPresent(unknown, forKey: .unknown)
    try members.encodeIfPresent(divergences, forKey: .divergences)
    try members.encodeIfPresent(divergenceCount, forKey: .divergenceCount)
    try members.encodeIfPresent(uncomparedSteps, forKey: .uncomparedSteps)
    try members.encodeIfPresent(missingSteps, forKey: .missingSteps)
  }
}

/// Recorded steps that were dispatched again on a new fork, and its comparison with the recording:
/// `{"fork","steps","orphans"?}` with the members of ``ForkDifference``.
///
/// Its exit code is 0: what is dispatched again with changes is meant to differ.
public struct Redispatched: CommandResult {
  /// The steps of the fork.
  public let steps: ForkStepSummaries
  /// The recorded steps whose causes did not happen on the fork, those that were left out first; nil if there are none.
  public let orphans: [UInt64]?
  /// The comparison of the fork with the recording.
  public let difference: ForkDifference
  /// The orphans that were left out; not encoded.
  package let droppedOrphans: [UInt64]

  init(_ steps: [ForkStep], droppedOrphans: [UInt64], _ difference: ForkDifference) {
    self.steps = ForkStepSummaries(steps)
    let orphans = droppedOrphans + steps.recordedOrphans
    (self.orphans, self.droppedOrphans) = (orphans.isEmpty ? nil : orphans, droppedOrphans)
    self.difference = difference
  }

  /// Encodes the steps and the comparison in one object.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: ForkDifference.CodingKeys.self)
    try members.encode(difference.fork, forKey: .fork)
    try members.encode(steps, forKey: .steps)
    try members.encodeIfPresent(orphans, forKey: .orphans)
    try difference.encodeFindings(in: &members)
  }
}

/// The report of a replay that compares the log with fresh stores.
public struct VerificationResult: CommandResult {
  /// The report.
  public let report: ReplayReport
  /// The gap that the range lies in if it has no steps.
  public var notes: [Note] = []

  /// The exit code of the report's verdict.
  public var exitCode: Int32 { report.exitCode }

  /// Encodes the report.
  public func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }
}

extension ReplayReport {
  /// The exit code of this report alone: 0 if the log passed, 1 if it diverged, 4 if it is damaged, 5 if it could
  /// not run or no step was compared.
  package var exitCode: Int32 {
    switch verdict {
    case .passed: 0
    case .diverged: 1
    case .incompatible: severity == .impossible ? 5 : 1
    case .damaged: 4
    case .empty: 5
    }
  }
}
