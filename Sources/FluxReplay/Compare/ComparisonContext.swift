import FluxJSON
import FluxLog

/// The settings and names that comparisons share.
struct ComparisonContext {
  let log: LogFile
  let app: AppDescription
  let options: Verification.Options
  private let hidden: RedactedPlaces
  /// The current time, which reveals values that a reducer took from the clock.
  let now: LogInstant
  /// The stores of the log that did not begin in their recorded states, so that nothing of them is compared.
  var unfit: [String] = []
  /// The log's names of stores, by the app's names.
  private let logNames: StoreDictionary<String>
  private let appStores: Set<BytewiseName>
  private let logStores: Set<BytewiseName>
  /// `true` if the app dropped a store of the log.
  private let dropsStores: Bool

  /// - Throws: `PointerError` if the header has an invalid redacted path.
  init(log: LogFile, app: AppDescription, _ options: Verification.Options) throws(PointerError) {
    self.log = log
    self.app = app
    self.options = options
    hidden = try RedactedPlaces(log.header.redacted, only: log.header.only)
    now = options.now ?? .present
    appStores = Set(app.stores.map { BytewiseName($0.name) })
    logStores = Set(log.storeNames.map(BytewiseName.init))
    logNames = app.recordedNames(of: log)
    dropsStores = log.storeNames.contains(where: app.drops(store:))
  }

  /// Returns the app's name of a store of the log; nil if the app has no such store.
  func appName(of store: String) -> String? {
    let name = app.storeName(for: store)
    return appStores.contains(BytewiseName(name)) ? name : nil
  }

  /// `true` if the log has stores that are not compared.
  var skipsStores: Bool { dropsStores || !unfit.isEmpty }

  /// Returns `true` if nothing of a store of the log is compared.
  func skips(_ store: String) -> Bool {
    unfit.contains { $0.hasSameBytes(as: store) } || app.drops(store: store)
  }

  /// Returns `true` if a step was accepted on one side only, by the word of a store that is not compared.
  func isUndecided(_ step: LogStep, _ replayed: ReplayedStep) -> Bool {
    guard !unfit.isEmpty else { return false }
    switch (step.rejection, replayed.outcome) {
    case (nil, .rejected(let new)): return new.store.map { skips(logName(of: $0)) } ?? false
    case (let old?, .accepted): return old.store.map(skips) ?? false
    default: return false
    }
  }

  /// Returns the log's name of a store of the app.
  func logName(of store: String) -> String { logNames[store] ?? store }

  /// Returns `true` if the log has the store; states of a new store cannot be compared.
  func knowsStore(_ store: String) -> Bool { logStores.contains(BytewiseName(store)) }

  func compare(
    _ recorded: JSON?, _ replayed: JSON?, _ store: String
  ) throws -> StateComparison.Result {
    let states = [recorded, replayed].compactMap(\.self)
    let comparison = StateComparison(
      tolerance: options.tolerance, ignored: try IgnoredPlaces(options.ignoring, store, states),
      hidden: hidden)
    return comparison.compare(recorded, replayed, at: [store])
  }

  /// Returns `true` if two actions are equal apart from redacted values.
  func isSame(_ recorded: JSON, _ replayed: JSON) -> Bool {
    if recorded == replayed { return true }
    let comparison = StateComparison(tolerance: options.tolerance, ignored: nil)
    return comparison.compare(recorded, replayed, at: []).places.isEmpty
  }
}

extension ComparisonContext {
  /// Returns the places of a recorded action's payload that the app's form of the action does not have.
  ///
  /// An action that the app converts has another form on purpose.
  func places(of recorded: JSON, lostIn today: JSON) -> [String] {
    guard let type = recorded["type"]?.string, today["type"]?.string == type,
      !app.converts(action: type), let payload = recorded["payload"]
    else { return [] }
    return StateComparison.places(of: payload, lostIn: today["payload"]).map {
      $0.isEmpty ? "the payload" : Pointer(tokens: $0).description
    }
  }

  /// Returns `true` if two rejections have the same reason and store.
  ///
  /// A plain reducer rejects an action by throwing, and tells no store. Its recording says `failed` if the app did not
  /// end the step.
  func isSameReason(_ recorded: LogRejection, _ replayed: LogRejection) -> Bool {
    let store = recorded.store.map { BytewiseName(app.storeName(for: $0)) }
    let today = replayed.store.map(BytewiseName.init)
    guard app.reducers == .plain else {
      return recorded.reason == replayed.reason && store == today
    }
    let thrown = [LogRejection.refused, LogRejection.failed]
    return (recorded.reason == replayed.reason || thrown.contains(recorded.reason))
      && (today == nil || store == today)
  }
}

extension ComparisonContext {
  /// Returns a divergence with the line of its step, and the causes up to the root action or to a step that is
  /// not in the log.
  func locate(_ divergence: Divergence, at step: LogStep) throws(LogError) -> Divergence {
    var divergence = divergence
    if let position = log.position(atOrBefore: step.number) {
      divergence.line = log.lineNumber(at: position)
    }
    var last = step
    divergence.chain = [Divergence.Link(number: step.number, type: step.type)]
    while let cause = last.earlierCause, let position = log.position(of: cause) {
      last = try log.step(at: position)
      divergence.chain.append(Divergence.Link(number: last.number, type: last.type))
    }
    return divergence
  }
}

extension AppDescription {
  /// Returns the stores and actions removed or added since the recording; `range` is that of the steps to
  /// replay.
  func incompatibilities(
    with log: LogFile, in range: Range<Int>
  ) throws(LogError) -> [Incompatibility] {
    let recorded = log.storeNames
    let known = Set(recorded.map { BytewiseName(storeName(for: $0)) })
    var found: [Incompatibility] = []
    for step in try unknownActions(of: log, in: range) where !drops(action: step.type) {
      let subject: Incompatibility.Subject =
        if step.isReflected {
          .reflectedAction(type: step.type, why: step.reflectedActionText)
        } else if reducers == .plain {
          .unlistedAction(type: step.type, step: step.number)
        } else {
          .unknownAction(type: step.type, step: step.number)
        }
      found.append(Incompatibility(subject))
    }
    for store in recorded where !hasStore(store) && !drops(store: store) {
      found.append(Incompatibility(.missingStore(store)))
    }
    for store in stores where !known.contains(BytewiseName(store.name)) {
      found.append(Incompatibility(.newStore(store.name)))
    }
    return found
  }

  /// Ends a replay that would begin in none of the recorded states.
  ///
  /// - Throws: ``ReplayFailure`` if the app has no store of the log.
  func requireStore(of log: LogFile) throws(ReplayFailure) {
    let recorded = log.storeNames
    guard !recorded.isEmpty, !recorded.contains(where: hasStore) else { return }
    let own = stores.map(\.name).sorted()
    throw ReplayFailure(
      .cannotStart(
        why:
          "it defines none of the log's stores, which are \(recorded.joined(separator: ", ")); it defines "
          + (own.isEmpty ? "no store" : own.joined(separator: ", "))))
  }

  /// Returns the first step of each type of action that the app does not handle.
  ///
  /// Actions that no store handled in the recording do not count.
  private func unknownActions(
    of log: LogFile, in range: Range<Int>
  ) throws(LogError) -> [LogStep] {
    var unknown: [LogStep] = []
    for type in log.typeCounts().map({ $0.type }).sorted() where !takes(type) {
      var rest = range
      while let position = log.position(in: rest, typeWhere: { $0.hasSameBytes(as: type) }) {
        let step = try log.step(at: position)
        if step.rejection?.neverRan != true, !needsDropped(step) {
          unknown.append(step)
          break
        }
        rest = position + 1..<range.upperBound
      }
    }
    return unknown
  }
}

extension LogRejection {
  /// `true` if the action never reached a store: a middleware rejected it, no store handles it, or Redux DevTools did
  /// not run it.
  var neverRan: Bool { reason == "unhandled" || cannotRunAgain }

  /// The reason of a rejection that a reducer threw, with its own message.
  static let refused = "refused"

  /// The reason of a rejection by an error without a message for people.
  static let failed = "failed"

  /// `true` if the action was rejected in an imported session of Redux DevTools: its reducer threw, an earlier one had
  /// thrown, or the user skipped it.
  ///
  /// See docs/redux.md.
  var isImported: Bool { reason == "error" || reason == "interrupted" || reason == "skipped" }

  /// `true` if a replay does not dispatch the action: it was imported, or a middleware rejected it, which a replay lacks.
  package var cannotRunAgain: Bool { reason == "intercepted" || isImported }
}
