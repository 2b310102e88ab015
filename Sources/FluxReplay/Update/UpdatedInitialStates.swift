import FluxJSON
import FluxLog

extension UpdateRun {
  /// Returns the app's initial states of the stores that verify reports as `initial`, by the app's names.
  ///
  /// They have tokens in the redacted places. If initial states are ignored, or those of the log are unknown, there are
  /// none: such a recording keeps the states that it has. `recorded` has those in the app's current form, by the same names.
  ///
  /// - Throws: `ReplayFailure` if the app cannot be run, and the errors of a comparison.
  mutating func changedInitialStates(
    from recorded: StoreDictionary<JSON>
  ) throws -> [ReplayedStep.Change] {
    let log = timeline.log
    guard options.initial == .compare, InitialStates.areRecorded(in: log, 0..<log.count) else {
      return []
    }
    var byLogNames: StoreDictionary<JSON> = [:]
    for (store, state) in recorded { byLogNames[context.logName(of: store)] = state }
    let other = app.elsewhere(at: log.header.created ?? LogInstant(microseconds: 0))
    let found = try InitialStates(context: context, app: app, other: other).compare { _ in
      byLogNames
    }
    return try found.divergences.compactMap(\.store).map { store in
      let name = description.storeName(for: store)
      let state = try found.fresh[name].map { state in
        try tokens.redacted(state, of: name, recorded: recorded[name])
      }
      return ReplayedStep.Change(store: name, state: state)
    }
  }
}
