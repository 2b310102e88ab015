import FluxLog
public import FluxReplay

/// An app of another architecture in this process: an initial state and a reducer.
///
/// It replays the logs of a ``RecordingSession``:
/// ```swift
/// let app = ReducerApp(name: "Notes", store: "notes", initial: Notes()) {
///   (notes, action: NoteAction, inputs) in
///   reduce(&notes, action, &inputs)
/// }
/// let report = try app.verify(Timeline(LogFile.open("notes.jsonl")))
/// ```
/// If the reducer throws, the step is rejected and the state stays. The message of the rejection is that of
/// a `Rejection`, and the description of any other error.
///
/// A reducer has no way to tell its follow-ups and effects, so the report counts those of the log as not
/// compared.
public struct ReducerApp<State: Sendable, Action: Sendable>: ReplayApp {
  /// A reducer, with the inputs of its step; see ``StepInputs``.
  public typealias Reduce = @Sendable (inout State, Action, inout StepInputs) throws -> Void

  private let name: String?
  private let version: String?
  let evolution: Evolution
  private let circumstances: [String: any Encodable & Sendable]
  let stores: [ReducerStore<State>]
  let actions: [ReducerAction<Action>]
  let initial: @Sendable () -> State
  let reduce: Reduce

  /// Creates an app whose whole state is one store of the log.
  ///
  /// - Parameters:
  ///   - name: The app's name.
  ///   - version: The app's version.
  ///   - evolution: The changes to the app since its logs were recorded.
  ///   - circumstances: The current flags and other constants, as in `RecordingSession.Options`.
  ///   - store: The name under which the state is recorded.
  ///   - initial: The state in which the app begins.
  ///   - reduce: The reducer.
  public init(
    name: String? = nil, version: String? = nil, evolution: Evolution = Evolution(),
    circumstances: [String: any Encodable & Sendable] = [:],
    store: String, initial: @autoclosure @escaping @Sendable () -> State, reduce: @escaping Reduce
  ) where State: Codable, Action: Decodable {
    self.init(
      name: name, version: version, evolution: evolution, circumstances: circumstances,
      stores: [ReducerStore(store, \.self)], actions: [ReducerAction(Action.self)],
      initial: initial(), reduce: reduce)
  }

  /// Creates an app whose state is recorded as several stores, or that has several types of actions.
  ///
  /// ```swift
  /// let app = ReducerApp(
  ///   stores: [ReducerStore("notes", \.notes), ReducerStore("user", \.user)],
  ///   actions: [
  ///     ReducerAction<any AppAction>(AddNote.self) { $0 }, ReducerAction(SignIn.self) { $0 },
  ///   ],
  ///   initial: AppState()
  /// ) { state, action, _ in state = reducer(state, action) }
  /// ```
  /// - Parameters:
  ///   - name: The app's name.
  ///   - version: The app's version.
  ///   - evolution: The changes to the app since its logs were recorded.
  ///   - circumstances: The current flags and other constants, as in `RecordingSession.Options`.
  ///   - stores: The recorded parts of the state.
  ///   - actions: The types of the actions.
  ///   - initial: The state in which the app begins.
  ///   - reduce: The reducer.
  public init(
    name: String? = nil, version: String? = nil, evolution: Evolution = Evolution(),
    circumstances: [String: any Encodable & Sendable] = [:],
    stores: [ReducerStore<State>], actions: [ReducerAction<Action>],
    initial: @autoclosure @escaping @Sendable () -> State, reduce: @escaping Reduce
  ) {
    self.name = name
    self.version = version
    self.evolution = evolution
    self.circumstances = circumstances
    self.stores = stores
    self.actions = actions
    self.initial = initial
    self.reduce = reduce
  }

  /// Describes the recorded parts of the state, and the types of the actions.
  ///
  /// - Throws: `ReplayFailure` if a circumstance cannot be encoded.
  public func describe() throws(ReplayFailure) -> AppDescription {
    AppDescription(
      name: name, version: version,
      stores: stores.map {
        AppDescription.Store(name: $0.name, type: $0.type, isFeature: $0.isFeature)
      },
      actionTypes: actions.map(\.kind).sorted(),
      storeAliases: StoreDictionary(
        evolution.storeAliases.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }),
      actionAliases: evolution.recordedActions,
      upcastStores: evolution.upcastStores, droppedStores: evolution.droppedStores,
      droppedActions: evolution.droppedActions,
      circumstances: try AppDescription.encoded(circumstances: circumstances), tells: [.messages],
      reducers: .plain)
  }

  /// Starts a session in the given states.
  ///
  /// - Throws: `ReplayFailure` with all states that do not fit.
  public func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try ReducerSession(self, start)
  }
}
