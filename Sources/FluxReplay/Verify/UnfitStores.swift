import FluxJSON
import FluxLog

extension VerificationRun {
  /// Starts a session in recorded states; stores whose redacted states do not fit begin in their initial states.
  ///
  /// - Throws: ``ReplayFailure`` if the app cannot be run, or a state does not fit for another reason.
  func begin(
    _ start: inout SessionStart
  ) throws(ReplayFailure) -> (any ReplaySession, [ReplayFailure.StateProblem]) {
    do throws(ReplayFailure) {
      return (try app.start(start), [])
    } catch {
      guard case .statesNotRestorable(let problems) = error.reason,
        problems.allSatisfy({ $0.redacted != nil })
      else { throw error }
      for problem in problems { _ = start.states?.removeValue(forKey: problem.store) }
      return (try app.start(start), problems)
    }
  }

  /// Takes stores that began in their initial states out of the comparison, and notes the places of the values that
  /// did not fit.
  ///
  /// At the start of a log, the app's own initial state is right if it is the recorded one apart from redacted values.
  /// Then the store is compared like the others.
  mutating func skipUnfit(
    _ problems: [ReplayFailure.StateProblem], in stretch: Range<Int>, _ model: RecordedModel,
    _ session: any ReplaySession, _ context: inout ComparisonContext
  ) throws {
    guard !problems.isEmpty else { return }
    let own = try session.states()
    let isStart = InitialStates.areRecorded(in: timeline.log, stretch)
    for problem in problems {
      let store = problem.store
      if isStart, let state = context.appName(of: store).flatMap({ own[$0] }),
        try context.compare(model.states[store]?.json, state, store).places.isEmpty
      {
        continue
      }
      context.unfit.append(store)
      let place = Pointer(tokens: [store]).description + (problem.redacted ?? "")
      let note =
        "store \(store) not compared: the value at \(place) is redacted, and its type accepts no substitute; "
        + "stores that read its state may differ for that reason"
      if !report.notes.contains(note) { report.notes.append(note) }
    }
  }
}
