import FluxJSON
package import FluxLog

/// The states after a step that a log lacks because the recorder was behind, rebuilt by replay.
///
/// The app starts in the last model that the log has before the step, and dispatches the recorded actions up to the
/// step. The next written states show whether it still does what it did.
package struct RebuiltModel: Sendable {
  package let position: Int
  /// The number of the step after which the replay began; nil for the start of the log.
  package let base: UInt64?
  /// The first step up to the next written states at which the replay differs from the recording; nil if there is none.
  package let divergence: UInt64?
  /// The states of the stores that are not written at the position, by their names in the log; nil for an absent feature.
  private let states: StoreDictionary<JSON?>

  /// Returns the state of a store; nil if it was not rebuilt.
  package func state(of store: String) -> StoreState? {
    states[store].map { state in state.map { .present($0) } ?? .absent }
  }

  /// Rebuilds the states that are not written at a position, in the app's current form.
  ///
  /// The result is nil if damage or a gap hides an earlier state, or a step on the way cannot run again. `check` is called
  /// for each step; its error ends the replay.
  ///
  /// - Throws: `LogError` if a line cannot be read, ``ReplayFailure`` if the app cannot be run, and the errors of `check`.
  package init?(
    at position: Int, of timeline: Timeline, in app: any ReplayApp,
    check: () throws -> Void = {}
  ) throws {
    let unwritten = timeline.unwrittenStores(at: position)
    let description = try app.describe()
    let rebuilding = try timeline.rebuildingSession(
      after: timeline.log.sourcePosition(of: position), in: app, description, check: check)
    guard let (session, model) = rebuilding else { return nil }
    let replayed: StoreDictionary<JSON>
    do {
      defer { session.end() }
      replayed = try session.states()
    }
    let stores = unwritten.filter(description.hasStore)
    states = StoreDictionary(
      stores.map { ($0, replayed[description.storeName(for: $0)]) },
      uniquingKeysWith: { first, _ in first })
    self.position = position
    base = timeline.number(at: model.position)
    divergence = try Self.divergence(
      of: stores, from: model.position + 1, at: position, of: timeline, in: app, check)
  }

  /// Compares the replay with the recording, up to the next written states of the stores.
  private static func divergence(
    of stores: [String], from first: Int, at position: Int, of timeline: Timeline,
    in app: any ReplayApp, _ check: () throws -> Void
  ) throws -> UInt64? {
    try timeline.log.waitForIndex()
    var last = position
    for store in stores {
      last = max(last, try timeline.knownPositions(of: store, around: position).after ?? position)
    }
    var options = Verification.Options()
    options.range = first..<last + 1
    options.initial = .ignore
    options.messages = .ignore
    let report = try app.verify(timeline, options: options) { _, _ in try check() }
    return report.divergences.first?.step
  }
}
