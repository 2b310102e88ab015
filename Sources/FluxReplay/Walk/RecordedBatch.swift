import FluxJSON
import FluxLog

/// A recorded step with its changes.
///
/// An object, because a walk passes each on several times, and a copy of a step retains two dozen values.
final class RecordedStep: Sendable {
  let step: LogStep
  /// Its changes, by the log's names.
  let changes: [RecordedChange]
  /// `true` if it can run again.
  let canReplay: Bool

  init(_ step: consuming LogStep, changes: [RecordedChange], canReplay: Bool) {
    (self.step, self.changes, self.canReplay) = (step, changes, canReplay)
  }

  /// The action to dispatch; nil if the step cannot run again.
  var action: ReplayAction? { canReplay ? ReplayAction(step, changes) : nil }
}

extension ReplayAction {
  init(_ step: LogStep, _ changes: [RecordedChange]) {
    self.init(step)
    recorded = changes
  }
}

/// The steps that are dispatched at a time, at most.
package enum BatchSize {
  /// Each batch costs a thread that reads the next one, and in another process a message.
  static let steps = 512
  /// The number of steps if somebody waits for each batch: a host reports progress and is cancelled in between, and a fork
  /// takes all steps of a batch or none.
  static let awaitedSteps = 64
  /// The bytes of the steps: an app in another process answers with whole states, and both sides keep the batch in memory.
  ///
  /// With 4 MB, the C library returned the memory of each batch to the system, and a fifth of the time of verifying a
  /// text of 100 KB went into page faults.
  package static let bytes = bytes(within: .standard)

  /// Returns a megabyte, or an eighth of a limit if that is less: all answers to a batch together must not be larger than a
  /// message, which is half of it at most.
  static func bytes(within limit: MemoryLimit) -> Int { min(1 << 20, limit.byteCount / 8) }
}

/// A batch of recorded steps.
struct RecordedBatch {
  /// The steps, up to the first one that does not fit those before it.
  var steps: [RecordedStep] = []
  /// The damage of the step after the last one; nil if there is none.
  private(set) var damage: Finding?
  /// The bytes of the actions, the patches and the new states.
  private(set) var byteCount = 0

  /// The bytes for which a state that is not written counts at least: the app answers with it, and only then its size is
  /// known.
  private static let unwrittenByteCount = BatchSize.bytes / 16

  /// Reads the steps at positions, or fewer if they are large, and advances the walk over them.
  init(
    _ positions: Range<Int>, _ log: LogFile, _ walk: inout RecordedWalk, for app: AppDescription
  ) throws(LogError) {
    steps.reserveCapacity(positions.count)
    let imports = log.imports(in: positions)
    for position in positions where byteCount < BatchSize.bytes {
      let step: LogStep
      do throws(LogError) {
        step = try log.step(at: position)
      } catch {
        guard case .damaged(let finding) = error.reason else { throw error }
        damage = finding
        return
      }
      if imports.contains(position) { walk.hide(log.storeNames) }
      let changes: [RecordedChange]
      do throws(LineProblem) {
        changes = try walk.advance(over: step)
      } catch {
        damage = try log.finding(error, at: position)
        return
      }
      byteCount += step.action.byteCount + (step.patches?.byteCount ?? 0)
      for change in changes {
        byteCount +=
          change.isUnwritten
          ? max(walk.states[change.store]?.byteCount ?? 0, Self.unwrittenByteCount)
          : change.state?.byteCount ?? 0
      }
      let canReplay = app.canReplay(step)
      steps.append(RecordedStep(step, changes: changes, canReplay: canReplay))
    }
  }
}
