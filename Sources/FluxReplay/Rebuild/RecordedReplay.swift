import FluxLog

extension Timeline {
  /// Starts a session in states that the log does not have after a position, because the recorder was behind.
  ///
  /// A replay cannot begin at a step with unwritten states. It begins after the last earlier step at which every store is
  /// known, and dispatches the recorded actions up to the position. `check` is called for each step; its error ends the
  /// replay.
  ///
  /// - Returns: The session, and the recorded model from which it was started; nil if damage or a gap hides a state, or a
  ///   step on the way cannot run again.
  /// - Throws: `LogError` if a line cannot be read, ``ReplayFailure`` if the app cannot be run, and the errors of `check`.
  func rebuildingSession(
    after position: Int, in app: any ReplayApp, _ description: AppDescription,
    check: () throws -> Void = {}
  ) throws -> (any ReplaySession, RecordedModel)? {
    guard let model = try lastKnownModel(atOrBefore: position) else { return nil }
    let start = try SessionStart(
      .replay, after: model.position, in: model, of: self, for: description)
    let session = try app.start(start)
    let walk = ReplayWalk(
      model.position + 1..<position + 1, of: log, from: model, for: description, in: session)
    defer { walk.stop() }
    do {
      while let step = try walk.next() {
        try check()
        guard Self.isRight(after: step, walk.replayed, description) else {
          session.end()
          return nil
        }
      }
      if let failure = walk.failure { throw failure }
      if let finding = walk.damage { throw LogError(path: log.path, reason: .damaged(finding)) }
    } catch {
      session.end()
      throw error
    }
    return (session, model)
  }

  /// Returns `false` if the states of a replay are wrong after a step.
  private static func isRight(
    after step: RecordedStep, _ replayed: ReplayedStep?, _ app: AppDescription
  ) -> Bool {
    guard let replayed else {
      return !app.needsDropped(step.step) || !step.changes.contains { app.hasStore($0.store) }
    }
    if case .undecodable = replayed.outcome { return false }
    return !replayed.needsSecret
  }
}
