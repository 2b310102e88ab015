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
  private var rules: ModelRules

  init(_ model: RecordedModel, by rules: ModelRules = ModelRules()) {
    states = model.states.compactMapValues(\.json)
    self.rules = rules
  }

  /// Advances over a step, and returns its changes.
  ///
  /// - Throws: `LineProblem` if a change of the step does not fit the states before it.
  mutating func advance(over step: LogStep) throws(LineProblem) -> [RecordedChange] {
    rules.begin(isRejected: step.rejection != nil)
    var changes: [RecordedChange] = []
    for (store, kind, value) in step.writes {
      // A feature may have appeared in a state that is not written.
      let wasUnwritten = !unwritten.isEmpty && unwritten.remove(BytewiseName(store)) != nil
      let isAbsent = kind == .removal && !wasUnwritten && states[store] == nil
      if let problem = rules.problem(of: kind, to: store, isAbsent: isAbsent) { throw problem }
      switch rules.effect(of: kind) {
      case .whole: states[store] = value
      case .patch: states[store] = try patched(store, value)
      case .absent: states[store] = nil
      case .unwritten: unwritten.insert(BytewiseName(store))
      case .hidden, nil: continue
      }
      let isUnwritten = kind == .unwritten
      changes.append(
        RecordedChange(
          store: store, state: isUnwritten ? nil : states[store], isUnwritten: isUnwritten))
    }
    if rules.replacesModel {
      for store in states.ordered.map(\.key) where step.states?[store] == nil {
        states[store] = nil
        changes.append(RecordedChange(store: store, state: nil))
      }
    }
    return changes
  }

  private func patched(_ store: String, _ patch: JSON?) throws(LineProblem) -> JSON? {
    guard let patch, let state = states[store] else {
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
