import FluxLog

/// What comparing steps takes from around it.
struct ComparisonContext {
  let log: LogFile
  let app: AppDescription
  let ignored: [IgnoredPath]
  let tolerance: Double
  /// The present time, by which a value is known that a reducer took from the clock.
  let now: LogInstant
  /// The names that stores have in the log, by those that the app has for them.
  private let logNames: StoreDictionary<String>
  private let appStores: Set<BytewiseName>
  private let logStores: Set<BytewiseName>

  init(
    log: LogFile, app: AppDescription, ignored: [IgnoredPath], tolerance: Double, now: LogInstant
  ) {
    self.log = log
    self.app = app
    self.ignored = ignored
    self.tolerance = tolerance
    self.now = now
    appStores = Set(app.stores.map { BytewiseName($0.name) })
    logStores = Set(log.storeNames.map(BytewiseName.init))
    var names: StoreDictionary<String> = [:]
    for store in log.storeNames where !app.storeName(for: store).hasSameBytes(as: store) {
      names[app.storeName(for: store)] = store
    }
    logNames = names
  }

  /// The name that a store of the log has in the app; nil where the app has no such store.
  func appName(of store: String) -> String? {
    let name = app.storeName(for: store)
    return appStores.contains(BytewiseName(name)) ? name : nil
  }

  /// The name that a store of the app has in the log.
  func logName(of store: String) -> String { logNames[store] ?? store }

  /// Whether the log knows a store; of one that is new in the app there is nothing to compare.
  func knowsStore(_ store: String) -> Bool { logStores.contains(BytewiseName(store)) }

  /// What two states of a store differ in.
  func compare(
    _ recorded: JSON?, _ replayed: JSON?, _ store: String
  ) throws -> StateComparison.Result {
    let states = [recorded, replayed].compactMap(\.self)
    let comparison = StateComparison(
      tolerance: tolerance, ignored: try IgnoredPlaces(ignored, store, states))
    return comparison.compare(recorded, replayed, at: [store])
  }

  /// Whether two actions are the same, but for what is redacted.
  func isSame(_ recorded: JSON, _ replayed: JSON) -> Bool {
    if recorded == replayed { return true }
    let comparison = StateComparison(tolerance: tolerance, ignored: nil)
    return comparison.compare(recorded, replayed, at: []).places.isEmpty
  }
}

/// One store that a recorded step changed.
struct RecordedChange {
  /// The store, by its name in the log.
  let store: String
  /// Its state after the step, in the form that the app gives it today; nil where it is gone.
  var state: JSON?
}

extension LogFile {
  /// A step and what led to it, up to the action that came from outside, or to a step that is not in
  /// the log.
  func chain(from step: LogStep) throws(LogError) -> [Divergence.Link] {
    var chain = [Divergence.Link(number: step.number, type: step.type)]
    var last = step
    // A cause that is not earlier is damage, and could lead in circles.
    while let cause = last.cause, cause < last.number {
      guard let position = position(atOrBefore: cause), number(at: position) == cause else { break }
      last = try self.step(at: position)
      chain.append(Divergence.Link(number: last.number, type: last.type))
    }
    return chain
  }
}
