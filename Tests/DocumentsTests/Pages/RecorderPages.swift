import FluxCore
import FluxLog
import FluxRecorder
import Foundation

/// The code of the pages about FluxRecorder and replay hosts, which must compile.
private enum RecorderPages {
  static func serve() {
    ReplayHost.runIfRequested(stores: makeStores)
  }

  static func record(_ dispatcher: Dispatcher) throws {
    let recorder = Recorder(to: URL(fileURLWithPath: "todo.jsonl"))
    dispatcher.use(recorder)
    if let failure = recorder.failure { print(failure) }
    recorder.mark("import begins")
    recorder.pause()
    importPhotos()
    recorder.resume()
    try recorder.close()
  }

  static func importPhotos() {}

  static func recordLaunches(_ dispatcher: Dispatcher, _ folder: URL) throws {
    var options = Recorder.Options()
    options.launchLimits = [.bytes(64 << 20), .launches(50), .age(.seconds(14 * 86_400))]
    let recorder = Recorder(in: folder, name: "todo", options: options)
    dispatcher.use(recorder)
    for launch in recorder.logs where !launch.isRecording {
      print(launch.start, launch.byteCount, launch.urls)
      try launch.delete()
    }
  }

  static func keepTheNewest() -> Recorder.Options {
    var options = Recorder.Options()
    options.log.retention = .bytes(16 << 20)
    options.log.ring = .written
    options.remembersElements = false
    return options
  }

  static func keepSecrets(_ dispatcher: Dispatcher, _ url: URL) {
    var options = Recorder.Options()
    options.redaction = Redaction(
      states: ["/session/token", "/users/*/password", "/**/iban"],
      actions: ["session/login": ["/token"], "*": ["/password"]])
    dispatcher.use(Recorder(to: url, options: options))
  }

  struct Login: StateValue { var token: Secret<String>? }

  static func keepOnly() -> Recorder.Options {
    var options = Recorder.Options()
    options.redaction = .only(
      ["/todos/items/*/done", "/filter"], actions: ["todo/toggle": ["/id"]])
    return options
  }
}

/// The code for ReSwift.
private enum ReSwiftPage {
  struct AppState: Encodable, Sendable {}
  typealias Dispatch = (any Sendable) -> Void
  typealias Middleware<State> = (Dispatch, @escaping () -> State?) -> (@escaping Dispatch) ->
    Dispatch

  static func middleware(_ url: URL) -> Middleware<AppState> {
    let session = RecordingSession(to: url, states: ["app": AppState()])
    let recording: Middleware<AppState> = { _, state in
      { next in
        { action in
          let step = session.begin(NamedAction("\(type(of: action))"))
          next(action)
          step.commit(states: ["app": state()])
        }
      }
    }
    return recording
  }

  static func reduce(
    _ action: NamedAction, _ session: RecordingSession,
    _ reducer: (AppState, NamedAction) -> AppState
  ) {
    var state = AppState()
    state = reducer(state, action)
    session.record(action: action, states: ["app": state])
  }

  static func record(
    _ action: NamedAction, state: AppState, _ session: RecordingSession,
    _ options: inout RecordingSession.Options
  ) {
    options.recordsEffects = true
    var effects = StoreEffects(store: "search")
    effects.cancel("suggest")
    effects.start("search")
    session.record(action: action, states: ["search": state], effects: [effects])
  }
}

/// The code for the Composable Architecture.
private enum ComposablePage {
  enum Effect { case none }

  struct Reduce<State, Action> {
    let reduce: (inout State, Action) -> Effect

    init(_ reduce: @escaping (inout State, Action) -> Effect) { self.reduce = reduce }
  }

  struct Search {
    struct State: Encodable, Sendable { var query = "" }
    enum Action: Encodable, Sendable { case queryChanged(String) }

    func reduce(into state: inout State, action: Action) -> Effect {
      switch action {
      case .queryChanged(let query): state.query = query
      }
      return .none
    }
  }

  static func reducer(_ session: RecordingSession) -> Reduce<Search.State, Search.Action> {
    let recorded = Reduce<Search.State, Search.Action> { state, action in
      let step = session.begin(action)
      let effect = Search().reduce(into: &state, action: action)
      step.commit(states: ["search": state])
      return effect
    }
    return recorded
  }
}
