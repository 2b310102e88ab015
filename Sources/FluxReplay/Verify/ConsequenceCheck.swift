import FluxJSON
import FluxLog

/// Tests if a divergence follows from an earlier one, or stands on its own.
///
/// The step runs again in the recorded states before it. If it does not differ there, the earlier difference is the
/// reason.
struct ConsequenceCheck {
  /// The most divergences to test in a report, because each needs a session of its own.
  static let limit = 32

  let timeline: Timeline
  let app: any ReplayApp
  let context: ComparisonContext
  let returned: ReturnedEffects
  let timeout: Double?

  /// Runs the step of a divergence again, in the recorded states before it.
  ///
  /// - Parameters:
  ///   - found: The divergence.
  ///   - today: Brings recorded changes into the app's current form.
  /// - Returns: `true` if the step does not differ there; nil if it could not be run there.
  /// - Throws: `LogError` if the log cannot be read, and `ReplayFailure` if the caller cancelled.
  func follows(
    _ found: Divergence, today: ([[RecordedChange]], any ReplaySession) throws -> [[RecordedChange]]
  ) throws -> Bool? {
    let log = timeline.log
    guard let position = log.position(atOrBefore: found.first) else { return nil }
    let model = try timeline.model(at: position - 1)
    let start = try SessionStart(
      .replay, after: position - 1, in: model, of: timeline, for: context.app, timeout: timeout)
    let session: any ReplaySession
    let replayed: ReplayedBatch
    var walk = RecordedWalk(model)
    let before = walk.states
    let batch: RecordedBatch
    do throws(ReplayFailure) {
      session = try app.start(start)
    } catch {
      return try Self.unknown(error)
    }
    defer { session.end() }
    batch = try RecordedBatch(position..<position + 1, log, &walk)
    do throws(ReplayFailure) {
      replayed = try ReplayedBatch(batch, in: session)
    } catch {
      return try Self.unknown(error)
    }
    guard let step = batch.steps.first, let now = replayed.steps.first ?? nil else { return nil }
    switch found.kind {
    case .missing, .followUp: return now.followUps.contains { $0.json == found.recorded }
    case .extra: return !now.followUps.contains { $0.json == found.replayed }
    default:
      let states = try today(
        [before.map { RecordedChange(store: $0.key, state: $0.value) }], session)
      var recorded = before
      for change in states.joined() { recorded[change.store] = change.state }
      var comparer = StepComparer(
        context, recorded: recorded, first: step.number, returned: returned)
      try comparer.compare(step, try today(batch.changes, session)[0], with: now)
      return !comparer.differs(as: found)
    }
  }

  /// A step that cannot be run alone proves nothing; only a cancelled replay ends the report.
  private static func unknown(_ failure: ReplayFailure) throws(ReplayFailure) -> Bool? {
    if failure.reason == .cancelled { throw failure }
    return nil
  }
}

extension StepComparer {
  /// Returns `true` if the compared step differs in the same way as a divergence, at its place.
  fileprivate func differs(as found: Divergence) -> Bool {
    guard found.kind == .different, let store = found.store, let path = found.path else {
      return divergences.contains { $0.kind == found.kind && $0.recorded == found.recorded }
    }
    return places(of: store).contains { place in
      place.starts(with: path.tokens) || path.tokens.starts(with: place)
    }
  }
}
