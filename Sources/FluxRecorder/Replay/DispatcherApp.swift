public import FluxCore
import FluxLog
public import FluxReplay

/// An app in this process: a factory of stores, each session of which is a dispatcher of its own.
///
/// In one process `Set` and `Dictionary` have the same order wherever they came about in the same way,
/// so two sessions here do not show that a reducer depends on it; a log that another process recorded
/// does.
public struct DispatcherApp: ReplayApp {
  private let name: String?
  private let version: String?
  private let evolution: Evolution
  private let makeStores: @Sendable () -> [any Store]

  /// Makes an app of a factory of stores.
  ///
  /// - Parameters:
  ///   - name: The app's name.
  ///   - version: The app's version.
  ///   - evolution: How the app has changed since logs were recorded.
  ///   - stores: Makes fresh stores, those that the app's own dispatcher has.
  public init(
    name: String? = nil, version: String? = nil, evolution: Evolution = Evolution(),
    stores: @escaping @Sendable () -> [any Store]
  ) {
    self.name = name
    self.version = version
    self.evolution = evolution
    makeStores = stores
  }

  /// Tells which stores the factory makes, and which actions they take.
  public func describe() throws(ReplayFailure) -> AppDescription {
    let dispatcher = Dispatcher(makeStores(), mode: .replay, seed: 0)
    let stores = dispatcher.context.stores
    let kinds = dispatcher.actionTypes.keys.filter { $0 != Batch.kind }
    return AppDescription(
      name: name, version: version,
      stores: stores.map {
        AppDescription.Store(name: $0.id.rawValue, type: $0.typeName, isFeature: $0.isFeature)
      },
      actionTypes: kinds.sorted(),
      storeAliases: StoreDictionary(
        evolution.storeAliases.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }),
      actionAliases: evolution.recordedActions,
      upcastStores: Set(evolution.stateUpcasters.keys))
  }

  /// Makes a dispatcher of fresh stores in the given states.
  ///
  /// - Throws: `ReplayFailure` with all the states that do not fit their stores.
  public func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try DispatcherSession(makeStores(), evolution, start)
  }

  /// The states of a log at a position, in fresh stores.
  func model(of timeline: Timeline, at position: Int) throws -> Model {
    let model = try timeline.model(at: position)
    guard model.unknownStores.isEmpty else {
      throw LogError(
        path: timeline.log.path,
        reason: .unknownStates(model.unknownStores, step: timeline.number(at: position) ?? 0))
    }
    let start = SessionStart(
      mode: .replay, seed: timeline.log.header.seed ?? 0, created: LogInstant(microseconds: 0),
      states: model.states.compactMapValues(\.json))
    return try DispatcherSession(makeStores(), evolution, start).model
  }
}

extension Evolution {
  /// The kinds and types of actions that are no longer called so.
  ///
  /// What an upcaster makes of an action is not known before it has one.
  fileprivate var recordedActions: [String: String] {
    var recorded = actionAliases
    for type in actionUpcasters.keys { recorded[type] = type }
    return recorded
  }
}
