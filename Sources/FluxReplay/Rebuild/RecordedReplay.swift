import FluxJSON
import FluxLog

/// Replays recorded steps to states that the log does not have, because the recorder was behind.
///
/// A replay cannot begin at a step with unwritten states. It begins after the last earlier step at which every
/// store is known, and dispatches the recorded actions up to the step.
struct RecordedReplay {
  let timeline: Timeline
  let app: any ReplayApp
  let description: AppDescription
  let timeout: Double?

  /// The largest number of actions to dispatch at once.
  private static let batchSize = 256
  /// The largest size of the answers to them, if each of their steps changed every store.
  private static let batchByteCount = 8 << 20

  /// Starts a session in the states after the step at a position.
  ///
  /// - Returns: The session, and the recorded model from which it was started; nil if damage or a gap hides a
  ///   state, or a step on the way cannot run again.
  /// - Throws: `LogError` if a line cannot be read, and ``ReplayFailure`` if the app cannot be run.
  func session(after position: Int) throws -> (any ReplaySession, RecordedModel)? {
    guard let model = try timeline.lastKnownModel(atOrBefore: position) else { return nil }
    let start = try SessionStart(
      .replay, after: model.position, in: model, of: timeline, for: description, timeout: timeout)
    let session = try app.start(start)
    do {
      guard try advance(session, from: model, model.position + 1..<position + 1) else {
        session.end()
        return nil
      }
    } catch {
      session.end()
      throw error
    }
    return (session, model)
  }

  /// Dispatches recorded steps; returns `false` if one of them cannot run again.
  private func advance(
    _ session: any ReplaySession, from model: RecordedModel, _ positions: Range<Int>
  ) throws -> Bool {
    var rest = positions
    var sizes = model.states.compactMapValues { $0.json?.byteCount }
    while !rest.isEmpty {
      let size = max(1, sizes.ordered.reduce(0) { $0 + $1.value })
      let batch = rest.prefix(min(max(1, Self.batchByteCount / size), Self.batchSize))
      var actions: [ReplayAction] = []
      for position in batch {
        let step = try timeline.log.step(at: position)
        if step.rejection?.cannotRunAgain != true { actions.append(ReplayAction(step)) }
      }
      for step in try session.dispatch(actions) {
        if case .undecodable = step.verdict { return false }
        if step.needsSecret { return false }
        for change in step.changes { sizes[change.store] = change.state?.byteCount }
      }
      rest = rest.dropFirst(batch.count)
    }
    return true
  }
}
