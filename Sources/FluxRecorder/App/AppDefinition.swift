public import FluxCore
package import FluxJSON
public import FluxLog
public import FluxReplay

// As for the options of a recorder: reducers, states and reports need no other import. All of FluxCore would make Action,
// Middleware and Store of other architectures ambiguous.
@_exported public import struct FluxCore.Rejection
@_exported public import struct FluxCore.Secret
@_exported public import struct FluxLog.StoreEffects
@_exported public import enum FluxReplay.Verification

/// An app that can be replayed: the stores of its dispatcher, or the initial state and the reducer of any other
/// architecture.
///
/// Define it once, and pass it to everything that replays the app's logs:
/// ```swift
/// let shopApp = AppDefinition(name: "Shop", version: "1.0", stores: makeStores)
///
/// ReplayHost.runIfRequested(shopApp)
/// let report = try await shopApp.verify(log)
/// ```
/// Effects never run, because the log contains the actions that they dispatched. A reducer cannot report its follow-ups
/// and effects, so the report counts those of its log as not compared.
///
/// Each session has fresh stores. Within one process, `Set` and `Dictionary` have the same order if they were built in
/// the same way, so two sessions do not reveal a reducer that depends on that order. A log that another process
/// recorded does.
///
/// In a module that is isolated to the main actor by default, mark the states, actions and reducers as `nonisolated`.
public struct AppDefinition<State, Action>: ReplayApp {
  /// A reducer, with the inputs of its step; see ``StepInputs``.
  ///
  /// If it throws, the step is rejected and the state does not change. A `Rejection` keeps its message; any other error
  /// gives its description.
  public typealias Reduce = @Sendable (inout State, Action, inout StepInputs) throws -> Void

  fileprivate let name: String?
  fileprivate let version: String?
  let evolution: Evolution
  package let circumstances: [String: any Encodable & Sendable]
  let program: any AppProgram
  /// `true` if the stores or reducers need the main actor; see ``requiringMainActor()``.
  public private(set) var needsMainActor = false

  /// Describes the stores, and the actions that they handle.
  ///
  /// - Throws: `ReplayFailure` if a circumstance cannot be encoded.
  public func describe() throws(ReplayFailure) -> AppDescription {
    var description = AppDescription(
      name: name, version: version,
      storeAliases: StoreDictionary(
        evolution.storeAliases.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }),
      actionAliases: evolution.recordedActions, upcastStores: evolution.upcastStores,
      droppedStores: evolution.droppedStores, droppedActions: evolution.droppedActions)
    for (name, value) in circumstances {
      description.circumstances[name] = try ReplayFailure.encoding("the circumstance \(name)") {
        try LogEncoder().encode(value)
      }
    }
    program.describe(in: &description)
    return description
  }

  /// Starts a session with fresh stores in the given states.
  ///
  /// - Throws: `ReplayFailure` with all states that do not fit their stores.
  public func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try program.start(start, evolution)
  }

  /// Replays the actions of a log, and compares the results with the recorded ones.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - options: The options of the verification.
  /// - Returns: The report.
  /// - Throws: `LogError` if the log cannot be read, `ReplayFailure` if a state or an action cannot
  ///   be encoded, `CancellationError` if the task is cancelled.
  public func verify(
    _ log: LogFile, options: Verification.Options = Verification.Options()
  ) async throws -> ReplayReport {
    try await replaying {
      try verify(Timeline(log), options: options) { _, _ in try Task.checkCancellation() }
    }
  }

  /// Returns the same app, whose stores or reducers need the main actor.
  ///
  /// ```swift
  /// let canvasApp = AppDefinition(stores: makeStores).requiringMainActor()
  /// ```
  /// A running app replays on a separate thread, so an ``AppHost`` offers no replay of such an app. An inspector replays it
  /// in a process that it starts, where ``ReplayHost`` serves on the main thread. ``verify(_:options:)`` and the functions
  /// for tests run it on the main actor.
  public func requiringMainActor() -> Self {
    var app = self
    app.needsMainActor = true
    return app
  }
}

extension AppDefinition: SourceTellingApp {
  /// Returns the source of actions that are FluxCore's, and that the app knows.
  package func source(of actions: [JSON]) -> AppSource { program.source(of: actions, evolution) }
}

// MARK: Recording

extension Recorder.Options {
  /// Creates the default options, with an app's name, version and circumstances.
  ///
  /// ```swift
  /// var options = Recorder.Options(for: shopApp)
  /// options.redaction = .only(["/filter"])
  /// ```
  ///
  /// - Parameter app: The app that the log is replayed with.
  public init<State, Action>(for app: AppDefinition<State, Action>) {
    self.init()
    self.app = app.name.map { LogHeader.App(name: $0, version: app.version) }
    circumstances = app.circumstances
  }
}

// MARK: Stores

extension AppDefinition where State == Never, Action == Never {
  /// Defines an app by the stores of its dispatcher.
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
    self.init(
      name: name, version: version, evolution: evolution, circumstances: circumstances,
      program: StoreProgram(makeStores: stores))
  }

  /// Returns the states of a log at a position, decoded by the current stores.
  ///
  /// - Parameters:
  ///   - position: The position in `timeline`.
  ///   - timeline: The log.
  /// - Returns: The states; a store that is not in the log has its initial state.
  /// - Throws: `LogError` if the states at the position are unknown or cannot be read,
  ///   `ReplayFailure` if they do not fit the stores.
  public func states(at position: Int, of timeline: Timeline) throws -> FluxCore.Model {
    let model = try timeline.model(at: position)
    guard model.unknownStores.isEmpty else {
      throw timeline.unknown(model.unknownStores, at: position)
    }
    let start = SessionStart(
      mode: .replay, seed: timeline.log.header.seed ?? 0, created: LogInstant(microseconds: 0),
      states: model.states.compactMapValues(\.json))
    return try DispatcherSession(makeStores(), evolution, start).model
  }

  package func makeStores() -> [any Store] { (program as? StoreProgram)?.makeStores() ?? [] }
}

// MARK: Reducers

extension AppDefinition {
  /// Defines an app by a reducer whose state is one store of the log.
  ///
  /// ```swift
  /// let notesApp = AppDefinition(name: "Notes", store: "notes", initial: Notes()) {
  ///   (notes, action: NoteAction, inputs) in
  ///   reduce(&notes, action, &inputs)
  /// }
  /// ```
  /// - Parameters:
  ///   - name: The app's name.
  ///   - version: The app's version.
  ///   - evolution: The changes to the app since its logs were recorded.
  ///   - circumstances: The current flags and other constants, as in `Recorder.Options`.
  ///   - store: The name under which the state is recorded.
  ///   - initial: The state in which the app begins.
  ///   - reduce: The reducer.
  public init(
    name: String? = nil, version: String? = nil, evolution: Evolution = Evolution(),
    circumstances: [String: any Encodable & Sendable] = [:], store: String,
    initial: @autoclosure @escaping @Sendable () -> State, reduce: @escaping Reduce
  ) where State: Codable & SendableMetatype, Action: Decodable & SendableMetatype {
    self.init(
      name: name, version: version, evolution: evolution, circumstances: circumstances,
      store: store, initial: initial(), actions: [Action.self], reduce: reduce)
  }

  /// Defines an app by a reducer that handles several types of actions.
  ///
  /// ```swift
  /// let app = AppDefinition(
  ///   store: "app", initial: AppState(), actions: [AddNote.self, SignIn.self]
  /// ) { state, action, _ in state = reducer(state, action) }
  /// ```
  /// The reducer's action type must cover each type in `actions`. The other parameters are those of a reducer with one type.
  public init(
    name: String? = nil, version: String? = nil, evolution: Evolution = Evolution(),
    circumstances: [String: any Encodable & Sendable] = [:], store: String,
    initial: @autoclosure @escaping @Sendable () -> State,
    actions: [any (Decodable & SendableMetatype).Type], reduce: @escaping Reduce
  ) where State: Codable & SendableMetatype {
    self.init(
      name: name, version: version, evolution: evolution, circumstances: circumstances,
      stores: [StatePart(store, \.self)], initial: initial(), actions: actions, reduce: reduce)
  }

  /// Defines an app by a reducer whose state is recorded as several stores.
  ///
  /// ```swift
  /// let app = AppDefinition(
  ///   stores: [StatePart("notes", \.notes), StatePart("user", \.user)], initial: AppState(),
  ///   actions: [AddNote.self, SignIn.self]
  /// ) { state, action, _ in state = reducer(state, action) }
  /// ```
  /// The other parameters are those of a reducer whose state is one store.
  public init(
    name: String? = nil, version: String? = nil, evolution: Evolution = Evolution(),
    circumstances: [String: any Encodable & Sendable] = [:], stores: [StatePart<State>],
    initial: @autoclosure @escaping @Sendable () -> State,
    actions: [any (Decodable & SendableMetatype).Type], reduce: @escaping Reduce
  ) {
    let program = ReducerProgram(
      parts: stores, actions: actions.map { ActionType($0) }, initial: initial, reduce: reduce)
    self.init(
      name: name, version: version, evolution: evolution, circumstances: circumstances,
      program: program)
  }
}
