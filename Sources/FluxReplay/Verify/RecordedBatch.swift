import FluxLog

/// Some steps of a log, read, with what each changed.
struct RecordedBatch {
  /// The steps; where one does not fit those before it, the steps before that.
  private(set) var steps: [LogStep] = []
  /// What each step changed, by the names of the log.
  private(set) var changes: [[RecordedChange]] = []
  /// The actions of those that are to be dispatched.
  private(set) var actions: [ReplayAction] = []
  /// Why the step behind the last one cannot be used.
  private(set) var damage: Finding?

  /// As many steps as lead to so many bytes of states are enough: an app in another process answers with
  /// whole states, and their batch is in memory on both sides.
  private static let stateByteCount = 4 << 20

  /// Reads the steps at positions, or the first of them where their states are large, and moves the walk
  /// over them.
  init(_ positions: Range<Int>, _ log: LogFile, _ walk: inout RecordedWalk) throws(LogError) {
    steps.reserveCapacity(positions.count)
    changes.reserveCapacity(positions.count)
    actions.reserveCapacity(positions.count)
    var byteCount = 0
    for position in positions where byteCount < Self.stateByteCount {
      let step: LogStep
      do throws(LogError) {
        step = try log.step(at: position)
      } catch {
        guard case .damaged(let finding) = error.reason else { throw error }
        damage = finding
        return
      }
      do throws(LineProblem) {
        let changed = try walk.advance(over: step)
        byteCount += changed.reduce(0) { $0 + ($1.state?.byteCount ?? 0) }
        changes.append(changed)
      } catch {
        damage = Finding(
          problem: error, line: try log.lineNumber(at: position) ?? 0, step: step.number)
        return
      }
      steps.append(step)
      if step.rejection?.isIntercepted != true { actions.append(ReplayAction(step)) }
    }
  }
}

/// The states of a log while its steps are walked over from one to the next.
struct RecordedWalk {
  /// The stores and features that are there.
  private(set) var states: StoreDictionary<JSON>

  init(_ model: RecordedModel) {
    states = model.states.compactMapValues(\.json)
  }

  /// Moves on over a step, and returns what it changes.
  ///
  /// - Throws: `LineProblem` where a change of the step does not fit what was before it.
  mutating func advance(over step: LogStep) throws(LineProblem) -> [RecordedChange] {
    var changes: [RecordedChange] = []
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
      guard states.removeValue(forKey: store) != nil else {
        throw .removalOfAbsentFeature(store)
      }
      changes.append(RecordedChange(store: store, state: nil))
    }
    return changes
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
