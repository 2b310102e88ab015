import FluxLog
import FluxSystem
import Foundation

extension RecordingUpdate {
  /// Dispatches the recorded actions again, and writes what the app does now as a new recording.
  ///
  /// Use it if the app dispatches different follow-ups than the recording contains, so that ``write(to:progress:)``
  /// refuses. The app begins as in an update, and dispatches its own follow-ups. Root actions and the actions of
  /// effects keep their times. Steps are numbered again, and the recording gets a new identifier, and loses the old
  /// one's marks. It takes the place of the old file as an update does. `progress` is called after each batch of the
  /// verification.
  ///
  /// - Returns: The number of steps of the new recording.
  /// - Throws: The errors of ``write(to:progress:)`` and of ``Fork/save(to:log:replacesExisting:)``. After an error,
  ///   nothing has changed.
  @discardableResult
  package func rerecord(
    to path: String, progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> Int {
    var run = try preparedRun()
    if let loss = try loss() { throw timeline.refusal(loss) }
    return try refusingUnfitStates {
      let fork = try run.fork()
      defer { fork.end() }
      try fork.redispatch(0..<timeline.log.count, skipping: [], replacing: [:])
      let count = fork.steps.count
      let destination = try LogError.naming(path) { () throws(SystemError) in
        try SymbolicLink.target(of: path)
      }
      let file = try fork.newLog(
        at: destination, log: UUID().uuidString, replacesExisting: true)
      try file.finish()
      // A reducer that keeps whole seconds of the clock would reach the same states again.
      if app.elsewhere(at: .present) != nil { WallClock.waitForAnotherSecond() }
      try verify(file.unfinishedPath) { try progress($0, count) }
      try file.commit()
      return count
    }
  }

  /// Returns what a new recording would lack because the recorded actions alone do not lead to it; nil if there is nothing.
  private func loss() throws(LogError) -> UpdateError.Reason? {
    let log = timeline.log
    if let found = log.firstInterruption, let step = log.number(at: found.position) {
      return found.kind == .restored ? .wentBack(step: step) : .missingSteps(step: step)
    }
    if log.end?.isContinued == true { return .segment }
    // They belong to the old recording, and would be removed with it.
    return try log.inFlight().first.map { .inFlight(step: $0.number) }
  }
}

extension UpdateRun {
  /// Returns a fork before the first step, in the initial states that an update would write.
  fileprivate mutating func fork() throws -> Fork {
    let initial = try states(at: Timeline.start)
    let changes = try changedInitialStates(from: initial)
    let fork = try Fork(at: Timeline.start, of: timeline, in: app)
    guard !changes.isEmpty else { return fork }
    return try Fork(leaving: fork, afterSteps: 0, editing: changes)
  }
}
