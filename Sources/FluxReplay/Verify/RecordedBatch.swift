import FluxJSON
import FluxLog

/// A batch of recorded steps with their changes.
struct RecordedBatch {
  /// The steps, up to the first one that does not fit those before it.
  private(set) var steps: [LogStep] = []
  /// The changes of each step, by the log's names.
  private(set) var changes: [[RecordedChange]] = []
  /// The actions of the steps that can run again.
  private(set) var actions: [ReplayAction] = []
  private let app: AppDescription
  /// The damage of the step after the last one; nil if there is none.
  private(set) var damage: Finding?
  /// The bytes of the actions, the patches and the new states.
  private(set) var byteCount = 0

  /// The limit for the bytes of a batch: an app in another process answers with whole states, and both sides
  /// keep the batch in memory.
  ///
  /// With 4 MB, the C library returned the memory of each batch to the system, and a fifth of the time of verifying a
  /// text of 100 KB went into page faults.
  private static let byteLimit = 1 << 20

  /// Reads the steps at positions, or fewer if they are large, and advances the walk over them.
  init(
    _ positions: Range<Int>, _ log: LogFile, _ walk: inout RecordedWalk, for app: AppDescription
  ) throws(LogError) {
    self.app = app
    steps.reserveCapacity(positions.count)
    changes.reserveCapacity(positions.count)
    actions.reserveCapacity(positions.count)
    for position in positions where byteCount < Self.byteLimit {
      let step: LogStep
      do throws(LogError) {
        step = try log.step(at: position)
      } catch {
        guard case .damaged(let finding) = error.reason else { throw error }
        damage = finding
        return
      }
      let changed: [RecordedChange]
      do throws(LineProblem) {
        changed = try walk.advance(over: step)
      } catch {
        damage = Finding(
          problem: error, line: log.lineNumber(at: position) ?? 0, step: step.number)
        return
      }
      byteCount += step.action.byteCount + (step.patches?.byteCount ?? 0)
      byteCount += changed.reduce(0) { $0 + ($1.state?.byteCount ?? 0) }
      changes.append(changed)
      steps.append(step)
      guard app.canReplay(step) else { continue }
      var action = ReplayAction(step)
      action.recorded = changed.compactMap(\.written)
      actions.append(action)
    }
  }

  /// Returns `true` if a step of the batch was dispatched again.
  func wasReplayed(_ step: LogStep) -> Bool { app.canReplay(step) }
}

/// The recorded states while a replay advances from step to step.
struct RecordedWalk {
  /// The last written states of the stores and present features.
  private(set) var states: StoreDictionary<JSON>
  /// The stores whose newest states are not written.
  private var unwritten: Set<BytewiseName> = []
  /// `true` if the next accepted step replaces the whole model.
  private var awaitsWholeModel: Bool

  init(_ model: RecordedModel, awaitsWholeModel: Bool = false) {
    states = model.states.compactMapValues(\.json)
    self.awaitsWholeModel = awaitsWholeModel
  }

  /// Advances over a step, and returns its changes.
  ///
  /// - Throws: `LineProblem` if a change of the step does not fit the states before it.
  mutating func advance(over step: LogStep) throws(LineProblem) -> [RecordedChange] {
    var changes: [RecordedChange] = []
    let isWhole = awaitsWholeModel && step.rejection == nil
    if isWhole { try checkWhole(step) }
    if !unwritten.isEmpty { noteWritten(by: step) }
    if let whole = step.states {
      for member in whole.members {
        states[member.name] = member.value
        changes.append(RecordedChange(store: member.name, state: member.value))
      }
    }
    if let patches = step.patches {
      for member in patches.members {
        let state = try patched(member.name, member.value)
        states[member.name] = state
        changes.append(RecordedChange(store: member.name, state: state))
      }
    }
    for store in step.removed {
      // A feature may have appeared in a state that is not written.
      let wasUnwritten = unwritten.remove(BytewiseName(store)) != nil
      guard states.removeValue(forKey: store) != nil || wasUnwritten else {
        throw .removalOfAbsentFeature(store)
      }
      changes.append(RecordedChange(store: store, state: nil))
    }
    for store in step.unwritten {
      unwritten.insert(BytewiseName(store))
      changes.append(RecordedChange(store: store, state: nil, isUnwritten: true))
    }
    if isWhole {
      awaitsWholeModel = false
      for store in states.ordered.map(\.key) where step.states?[store] == nil {
        states[store] = nil
        changes.append(RecordedChange(store: store, state: nil))
      }
    }
    return changes
  }

  /// Checks the first accepted step after a gap, which has no patch and leaves no state out.
  private func checkWhole(_ step: LogStep) throws(LineProblem) {
    if let patch = step.patches?.members.first(where: { _ in true }) {
      throw .patchDoesNotApply(
        store: patch.name, reason: "the first step after a gap has to write the store whole")
    }
    if let store = step.unwritten.first { throw .unwrittenAfterGap(store) }
  }

  private mutating func noteWritten(by step: LogStep) {
    for changes in [step.states, step.patches] {
      guard let changes else { continue }
      for member in changes.members { unwritten.remove(BytewiseName(member.name)) }
    }
  }

  private func patched(_ store: String, _ patch: JSON) throws(LineProblem) -> JSON {
    guard let state = states[store] else {
      throw .patchDoesNotApply(store: store, reason: "the store has no state before this step")
    }
    do {
      return try state.applying(CollectionOfOne(patch))
    } catch {
      throw .patchDoesNotApply(store: store, reason: error.message)
    }
  }
}

/// The replayed steps of a batch.
struct ReplayedBatch {
  /// The steps, nil for those that were not run; if the app failed on the way, those before the failure.
  private(set) var steps: [ReplayedStep?] = []
  /// The failure that stopped the app; nil if there was none.
  private(set) var failure: ReplayFailure?

  /// Dispatches the actions of a batch.
  ///
  /// - Throws: ``ReplayFailure`` if the app's answer does not match the batch, or the caller cancelled.
  init(_ batch: RecordedBatch, in session: any ReplaySession) throws(ReplayFailure) {
    do throws(ReplayFailure) {
      let steps = try session.dispatch(batch.actions)
      guard steps.count == batch.actions.count else {
        throw ReplayFailure(
          .protocolViolation(
            found: "\(steps.count) steps of \(batch.actions.count) actions",
            expected: "one step for each action"))
      }
      self.steps = try Self.aligned(steps, with: batch)
    } catch {
      guard error.reason != .cancelled else { throw error }
      steps = try Self.aligned(error.completed, with: batch)
      failure = error
    }
  }

  private static func aligned(
    _ steps: [ReplayedStep], with batch: RecordedBatch
  ) throws(ReplayFailure) -> [ReplayedStep?] {
    var aligned: [ReplayedStep?] = []
    aligned.reserveCapacity(batch.steps.count)
    var rest = steps[...]
    for step in batch.steps {
      guard batch.wasReplayed(step) else {
        aligned.append(nil)
        continue
      }
      guard let replayed = rest.popFirst() else { break }
      guard replayed.number == step.number else {
        throw ReplayFailure(
          .protocolViolation(
            found: "an answer for step \(replayed.number)", expected: "one for \(step.number)"),
          step: step.number, action: step.type)
      }
      aligned.append(replayed)
    }
    return aligned
  }
}
