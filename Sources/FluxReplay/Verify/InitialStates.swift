import FluxJSON
import FluxLog

/// Compares the states in which the app begins with those of the log's header.
struct InitialStates {
  let context: ComparisonContext
  let app: any ReplayApp
  /// The app with another environment; nil if it runs in this process.
  let other: (any ReplayApp)?

  /// Returns `true` if the header has the states in which the app began, and the replay begins with them.
  static func areRecorded(in log: LogFile, _ range: Range<Int>) -> Bool {
    log.header.first == 1 && range.lowerBound == 0
  }

  /// The comparison's outcome.
  struct Result {
    /// One divergence for each store that begins in another state.
    var divergences: [Divergence] = []
    /// The stores whose initial states the header does not have.
    var unrecorded: [String] = []
    /// Places of redacted values.
    var redacted: [Pointer] = []
    /// The number of redacted values that were not compared.
    var redactedValues = 0
    /// Places that are not the same in two fresh starts of the app.
    var unstable: [Pointer] = []
    /// The states of a fresh start, by the app's names.
    var fresh: StoreDictionary<JSON> = [:]
  }

  /// Compares recorded states, in the app's current form, with those of a fresh start.
  ///
  /// A second fresh start, in another environment and another second if possible, shows which places depend on something
  /// outside the stores. It is needed only if there is a difference. `recorded` returns the states by the log's names; a
  /// session brings them into the current form.
  ///
  /// - Throws: ``ReplayFailure`` if the app cannot be run, the errors of `recorded`, and `QueryError` if an ignored path
  ///   exceeds the limits of a query.
  func compare(
    _ recorded: (any ReplaySession) throws -> StoreDictionary<JSON>
  ) throws -> Result {
    let session = try app.start(start)
    defer { session.end() }
    let first = try session.states()
    let recorded = try recorded(session)
    var result = Result(fresh: first)
    var second: StoreDictionary<JSON>?
    for store in context.log.header.stores {
      // A store without an initial state begins in the app's, unless it is an absent feature.
      guard let name = context.appName(of: store.name) else { continue }
      guard store.initial != nil || store.isFeature else {
        result.unrecorded.append(store.name)
        continue
      }
      let found = try context.compare(recorded[store.name], first[name], store.name)
      result.redacted += found.redacted
      result.redactedValues += found.redactedValues
      guard !found.places.isEmpty else { continue }
      let again = try second ?? restarted()
      second = again
      let unstable = Set(
        try context.compare(first[name], again[name], store.name).places.map {
          Self.unstablePlace(around: $0, in: (first[name], again[name]))
        })
      let places = found.places.filter { place in
        !unstable.contains { place.path.isWithin($0) }
      }
      result.unstable += unstable
      guard let place = places.first else { continue }
      var divergence = Divergence(
        .initial, step: context.log.header.first - 1, action: .null)
      divergence.take(place, of: store.name)
      (divergence.line, divergence.others) = (1, places.count - 1)
      result.divergences.append(divergence)
    }
    return result
  }

  /// Returns the states of a second fresh start.
  ///
  /// If the app fails in the other environment, which proves nothing, it starts in its own one.
  private func restarted() throws(ReplayFailure) -> StoreDictionary<JSON> {
    if let other {
      WallClock.waitForAnotherSecond()
      let states = try LoneStep.unlessFailed(other) { () throws(ReplayFailure) in
        try freshStates(of: other)
      }
      if let states { return states }
    }
    return try freshStates(of: app)
  }

  private func freshStates(
    of app: any ReplayApp
  ) throws(ReplayFailure) -> StoreDictionary<JSON> {
    let session = try app.start(start)
    defer { session.end() }
    return try session.states()
  }

  private var start: SessionStart { SessionStart(.replay, of: context.log) }

  /// Returns the outermost array or object whose elements or names differ around a place at which two fresh starts differ;
  /// else the place.
  ///
  /// Everything in such an array or object may differ in the next start.
  private static func unstablePlace(
    around place: StateComparison.Pair, in states: (JSON?, JSON?)
  ) -> Pointer {
    var (left, right) = states
    // The first token is the store.
    for (depth, token) in place.tokens.enumerated().dropFirst() {
      if let one = left, let other = right, hasOtherParts(one, other) {
        return Pointer(tokens: place.tokens.prefix(depth))
      }
      (left, right) = (left?.child(token), right?.child(token))
    }
    return place.path
  }

  private static func hasOtherParts(_ one: JSON, _ other: JSON) -> Bool {
    switch (one.kind, other.kind) {
    case (.array, .array):
      one.count != other.count
        || zip(one.elements, other.elements).contains {
          $0 != $1 && $0.kind != .object && $0.kind != .array
        }
        || one.isPermutation(of: other)
    case (.object, .object):
      one.members.contains { other[$0.name] == nil }
        || other.members.contains { one[$0.name] == nil }
    default: false
    }
  }
}
