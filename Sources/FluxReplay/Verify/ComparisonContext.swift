import FluxJSON
import FluxLog

/// The settings and names that comparisons share.
struct ComparisonContext {
  let log: LogFile
  let app: AppDescription
  let ignored: [IgnoredPath]
  let tolerance: Double
  /// The current time, which reveals values that a reducer took from the clock.
  let now: LogInstant
  /// The log's names of stores, by the app's names.
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

  /// Returns the app's name of a store of the log; nil if the app has no such store.
  func appName(of store: String) -> String? {
    let name = app.storeName(for: store)
    return appStores.contains(BytewiseName(name)) ? name : nil
  }

  /// Returns the log's name of a store of the app.
  func logName(of store: String) -> String { logNames[store] ?? store }

  /// Returns `true` if the log has the store; states of a new store cannot be compared.
  func knowsStore(_ store: String) -> Bool { logStores.contains(BytewiseName(store)) }

  /// Compares two states of a store.
  func compare(
    _ recorded: JSON?, _ replayed: JSON?, _ store: String
  ) throws -> StateComparison.Result {
    let states = [recorded, replayed].compactMap(\.self)
    let comparison = StateComparison(
      tolerance: tolerance, ignored: try IgnoredPlaces(ignored, store, states))
    return comparison.compare(recorded, replayed, at: [store])
  }

  /// Returns `true` if two actions are equal apart from redacted values.
  func isSame(_ recorded: JSON, _ replayed: JSON) -> Bool {
    if recorded == replayed { return true }
    let comparison = StateComparison(tolerance: tolerance, ignored: nil)
    return comparison.compare(recorded, replayed, at: []).places.isEmpty
  }
}

/// A store that a recorded step changed.
struct RecordedChange {
  /// The store, by its name in the log.
  let store: String
  /// Its state after the step, in the app's current form; nil if the step removed it.
  var state: JSON?
}

extension LogFile {
  /// Returns a step and its causes, up to the root action or to a step that is not in the log.
  func chain(from step: LogStep) throws(LogError) -> [Divergence.Link] {
    var chain = [Divergence.Link(number: step.number, type: step.type)]
    var last = step
    // A cause that is not earlier is damage, and could form a cycle.
    while let cause = last.cause, cause < last.number {
      guard let position = position(atOrBefore: cause), number(at: position) == cause else { break }
      last = try self.step(at: position)
      chain.append(Divergence.Link(number: last.number, type: last.type))
    }
    return chain
  }
}
