public import FluxCore
import FluxJSON
import FluxLog
public import FluxReplay

/// An app in this process, made from a factory of stores; each session is a separate dispatcher.
///
/// Within one process, `Set` and `Dictionary` have the same order if they were built in the same
/// way. Two sessions of this app therefore do not reveal a reducer that depends on that order. A
/// log that another process recorded does.
public struct DispatcherApp: ReplayApp {
  private let name: String?
  private let version: String?
  let evolution: Evolution
  private let circumstances: [String: any Encodable & Sendable]
  let makeStores: @Sendable () -> [any Store]

  /// Creates an app from a factory of stores.
  ///
  /// - Parameters:
  ///   - name: The app's name.
  ///   - version: The app's version.
  ///   - evolution: The changes to the app since its logs were recorded.
  ///   - circumstances: The current flags and other constants, as in `Recorder.Options`. A report says which
  ///     of them differ from the recorded ones.
  ///   - stores: Creates fresh stores, the same as for the app's own dispatcher.
  public init(
    name: String? = nil, version: String? = nil, evolution: Evolution = Evolution(),
    circumstances: [String: any Encodable & Sendable] = [:],
    stores: @escaping @Sendable () -> [any Store]
  ) {
    self.name = name
    self.version = version
    self.evolution = evolution
    self.circumstances = circumstances
    makeStores = stores
  }

  /// Describes the factory's stores and the actions that they handle.
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
      upcastStores: evolution.upcastStores, droppedStores: evolution.droppedStores,
      droppedActions: evolution.droppedActions,
      circumstances: try AppDescription.encoded(circumstances: circumstances),
      tells: [.effects, .cancels, .messages])
  }

  /// Starts a dispatcher with fresh stores in the given states.
  ///
  /// - Throws: `ReplayFailure` with all states that do not fit their stores.
  public func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try DispatcherSession(makeStores(), evolution, start)
  }

  /// Returns the states of a log at a position, in fresh stores.
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

extension AppDescription {
  /// Encodes an app's circumstances as a recorder does.
  ///
  /// - Throws: `ReplayFailure` if one cannot be encoded.
  static func encoded(
    circumstances: [String: any Encodable & Sendable]
  ) throws(ReplayFailure) -> [String: JSON] {
    var encoded: [String: JSON] = [:]
    for (name, value) in circumstances {
      do {
        encoded[name] = try LogEncoder().encode(value)
      } catch {
        throw ReplayFailure(
          .cannotEncode("the circumstance \(name)", why: EncodingFailure.reason(error)))
      }
    }
    return encoded
  }
}

extension Evolution {
  /// The recorded kinds and types of actions that are converted.
  ///
  /// Each maps to its current name. A type with an upcaster maps to itself, because the upcaster's
  /// result depends on the action. So does one of which only members change.
  var recordedActions: [String: String] {
    var recorded = actionAliases
    for type in actionUpcasters.keys { recorded[type] = type }
    for type in payloadEdits.keys where renamed(type) == nil { recorded[type] = type }
    return recorded
  }
}
