import FluxJSON
import FluxLog
import FluxSystem

extension VerificationRun {
  /// Gives the divergences of the report the reasons that a test proves: an earlier divergence, an input that the log does not
  /// contain, or a change of a structure.
  ///
  /// The tests start sessions, so the number of divergences to test is limited.
  mutating func findReasons() throws {
    let alone = LoneStep(timeline: timeline, context: context)
    let candidates = report.divergences.indices.filter { canTest(report.divergences[$0]) }
    for index in candidates.prefix(Self.mostTested) {
      let divergence = report.divergences[index]
      if let suspect = divergence.suspect, try isConsequence(divergence, alone) {
        report.divergences[index].follows = suspect
        report.divergences[index].reason = LikelyReason.consequence(of: suspect)
      } else if let reason = try reason(for: divergence, alone) {
        report.divergences[index].reason = reason
      }
    }
    let untested = candidates.count - Self.mostTested
    if untested > 0 {
      report.notes.append(
        "the reasons of \(untested.counted("divergence")) were not tested: only those of "
          + "the first \(Self.mostTested) were")
    }
  }

  /// Returns `true` if a divergence follows from an earlier one: its step does not differ in the recorded states before it.
  private func isConsequence(_ found: Divergence, _ alone: LoneStep) throws -> Bool {
    try alone.run(found.first, in: app) { run in
      let now = run.replayed
      switch found.kind {
      case .missing, .followUp: return now.followUps.contains { $0.json == found.recorded }
      case .extra: return !now.followUps.contains { $0.json == found.replayed }
      default:
        let inputs = run.inputs
        var steps = [RecordedStep(inputs.step, changes: inputs.changes, canReplay: true)]
        try run.session.upcast(&steps, for: context.app)
        var comparer = StepComparer(
          context, recorded: try run.session.upcast(inputs.start.states ?? [:], for: context.app),
          first: inputs.step.number, returned: returned)
        _ = try comparer.compare(inputs.step, steps[0].changes, now)
        return !comparer.differs(as: found)
      }
    } ?? false
  }

  /// The most divergences of a report whose reasons are tested.
  private static let mostTested = 32

  /// `true` if a test may find a reason: an earlier divergence, a change of a structure, or a hidden input.
  private func canTest(_ divergence: Divergence) -> Bool {
    divergence.suspect != nil || divergence.hint != nil || mayHaveHiddenInput(divergence)
  }

  private func mayHaveHiddenInput(_ divergence: Divergence) -> Bool {
    other != nil && divergence.kind == .different
  }

  /// Returns the reason of a divergence that does not follow from an earlier one; nil if no test shows it.
  ///
  /// A second replay comes first, whatever the values suggest.
  private func reason(for divergence: Divergence, _ alone: LoneStep) throws -> String? {
    if mayHaveHiddenInput(divergence) || divergence.hint == .rounding {
      let check = HiddenInputCheck(alone: alone, app: app, other: other)
      switch try check.result(for: divergence) {
      case .differ(let input): return other.map { _ in input.reason(for: context.app.reducers) }
      case .agree where divergence.hint == .rounding: return LikelyReason.rounding
      case .agree, nil: break
      }
    }
    switch divergence.hint {
    case nil, .hiddenInput, .rounding: return nil
    case .member(let name, let isAdded, var others):
      guard let path = divergence.path, let store = divergence.store else { return nil }
      if !isAdded { others.insert(name) }
      return try timeline.hasStructure(around: path, of: store, names: others)
        ? LikelyReason.member(name, isAdded: isAdded) : nil
    }
  }
}
