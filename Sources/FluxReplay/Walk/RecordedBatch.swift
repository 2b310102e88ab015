import FluxJSON
import FluxLog

/// A recorded step with its changes.
struct RecordedStep {
  let step: LogStep
  /// Its changes, by the log's names.
  var changes: [RecordedChange]
  /// Its action; nil if it cannot run again.
  var action: ReplayAction?

  init(_ step: LogStep, changes: [RecordedChange], for app: AppDescription) {
    (self.step, self.changes) = (step, changes)
    guard app.canReplay(step) else { return }
    var action = ReplayAction(step)
    action.recorded = changes.compactMap(\.written)
    self.action = action
  }
}

/// A batch of recorded steps.
struct RecordedBatch {
  /// The steps, up to the first one that does not fit those before it.
  var steps: [RecordedStep] = []
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
    steps.reserveCapacity(positions.count)
    for position in positions where byteCount < Self.byteLimit {
      let step: LogStep
      do throws(LogError) {
        step = try log.step(at: position)
      } catch {
        guard case .damaged(let finding) = error.reason else { throw error }
        damage = finding
        return
      }
      let changes: [RecordedChange]
      do throws(LineProblem) {
        changes = try walk.advance(over: step)
      } catch {
        damage = Finding(
          problem: error, line: log.lineNumber(at: position) ?? 0, step: step.number)
        return
      }
      byteCount += step.action.byteCount + (step.patches?.byteCount ?? 0)
      // The app answers with states that are not written as well.
      byteCount += changes.reduce(0) { sum, change in
        let state = change.isUnwritten ? walk.states[change.store] : change.state
        return sum + (state?.byteCount ?? 0)
      }
      steps.append(RecordedStep(step, changes: changes, for: app))
    }
  }
}
