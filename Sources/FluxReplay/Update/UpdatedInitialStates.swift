import FluxJSON
import FluxLog

extension UpdateRun {
  /// Returns the app's initial states of the stores that verify reports as `initial`, by the log's names.
  ///
  /// They have tokens in the redacted places. If initial states are ignored, or those of the log are unknown, there
  /// are none: such a recording keeps the states that it has.
  ///
  /// - Parameters:
  ///   - recorded: The recorded initial states in the app's current form, by the app's names.
  ///   - tokens: The tokens of the recording.
  /// - Returns: The states by the names of the log.
  /// - Throws: `ReplayFailure` if the app cannot be run, and the errors of a comparison.
  func changedInitialStates(
    from recorded: StoreDictionary<JSON>, _ tokens: inout RedactedStates
  ) throws -> [RecordedChange] {
    let log = timeline.log
    guard options.initial == .compare, InitialStates.areRecorded(in: log, 0..<log.count) else {
      return []
    }
    let context = ComparisonContext(
      log: log, app: description, ignored: options.ignoring,
      hidden: try RedactedPlaces(log.header.redacted, only: log.header.only),
      tolerance: options.tolerance, messages: options.messages, now: options.now ?? .present)
    let start = SessionStart(
      mode: .replay, seed: log.header.seed ?? 0,
      created: log.header.created ?? LogInstant(microseconds: 0), timeout: options.timeout)
    var byLogNames: StoreDictionary<JSON> = [:]
    for (store, state) in recorded { byLogNames[context.logName(of: store)] = state }
    func initialStates(in app: any ReplayApp) throws -> StoreDictionary<JSON> {
      let session = try app.start(start)
      defer { session.end() }
      return try session.states()
    }
    let fresh = try initialStates(in: app)
    let found = try InitialStates(context: context).compare(byLogNames, with: fresh) {
      try initialStates(in: app.elsewhere(at: start.created) ?? app)
    }
    return try found.divergences.compactMap(\.store).map { store in
      let name = description.storeName(for: store)
      let state = try fresh[name].map { state in
        try tokens.redacted(state, of: name, recorded: recorded[name])
      }
      return RecordedChange(store: store, state: state)
    }
  }
}
