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

  /// Reads the steps at positions, and moves the walk over them.
  init(_ positions: Range<Int>, _ log: LogFile, _ walk: inout RecordedWalk) throws(LogError) {
    steps.reserveCapacity(positions.count)
    changes.reserveCapacity(positions.count)
    actions.reserveCapacity(positions.count)
    for position in positions {
      let step = try log.step(at: position)
      do throws(LineProblem) {
        changes.append(try walk.advance(over: step))
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
