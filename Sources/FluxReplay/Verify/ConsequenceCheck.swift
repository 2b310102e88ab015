import FluxJSON
import FluxLog

/// Tests if a divergence follows from an earlier one, or stands on its own.
///
/// The step runs again in the recorded states before it. If it does not differ there, the earlier difference is the
/// reason.
struct ConsequenceCheck {
  let alone: LoneStep
  let app: any ReplayApp
  let returned: ReturnedEffects

  /// Runs the step of a divergence again, in the recorded states before it.
  ///
  /// - Parameter found: The divergence.
  /// - Returns: `true` if the step does not differ there; nil if it could not be run there.
  /// - Throws: `LogError` if the log cannot be read, and `ReplayFailure` if the caller cancelled.
  func follows(_ found: Divergence) throws -> Bool? {
    try alone.run(found.first, in: app) { run in
      let now = run.replayed
      switch found.kind {
      case .missing, .followUp: return now.followUps.contains { $0.json == found.recorded }
      case .extra: return !now.followUps.contains { $0.json == found.replayed }
      default:
        let app = alone.context.app
        let inputs = run.inputs
        var steps = [RecordedStep(inputs.step, changes: inputs.changes, canReplay: true)]
        try run.session.upcast(&steps, for: app)
        var comparer = StepComparer(
          alone.context, recorded: try run.session.upcast(inputs.before, for: app),
          first: inputs.step.number, returned: returned)
        _ = try comparer.compare(inputs.step, steps[0].changes, now)
        return !comparer.differs(as: found)
      }
    }
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
