import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

extension Tool {
  static let appState = Tool(
    "app_state", "State of the running app",
    about:
      "The newest state of the running app, or what a path or an expression selects in it. The app's log can be read by its name.",
    example: ["path": "cart.total"], access: .readsApp
  ) { (arguments: AppStateArguments, context, extras) in
    try context.running { session, log in
      let newest = try session.resolve(.end).position
      let query = try arguments.path.map { try context.query($0) }
      // The app may have gone back since its newest step.
      let restored = session.timeline.log.restoredPosition(before: newest + 1)
      let end = session.standing(at: restored ?? newest)
      let value =
        try restored == nil && session.isRestored
        ? context.value(query, in: end.timeline.model(before: newest + 1).json, of: end)
        : context.value(query, of: end)
      if session.isRestored {
        let model = restored == nil ? "another model after this step" : "this step"
        extras.notes.append("the app was set to \(model), and has not dispatched an action since")
      }
      return AppStateAnswer(
        log: log, n: try context.verbatim(end.timeline.stepNumber(at: end.position)),
        app: (session.liveState ?? .live).rawValue, value: VerbatimJSON(value))
    }
  }

  static let appDispatch = Tool(
    "app_dispatch", "Dispatch in the running app",
    about:
      "Dispatches an action in the running app, and answers with the steps it led to. Use it to try a fix or a way to a bug.",
    example: ["action": ["type": "cart/add", "payload": ["product": "tea"]]],
    access: .acts(isDestructive: false)
  ) { (arguments: AppDispatchArguments, context, extras) in
    try context.running { session, _ in
      let result = try session.dispatchLive(arguments.action.json, to: arguments.store)
      extras.notes += result.notes.map(\.toolText)
      return AppDispatchAnswer(result: try context.verbatim(result))
    }
  }

  static let appShow = Tool(
    "app_show", "Show a step in the running app",
    about:
      "Shows the model after a step in the views of the running app, without changing it; without n, the app is live again.",
    example: ["n": 16], access: .acts(isDestructive: false)
  ) { (arguments: AppShowArguments, context, extras) in
    try context.running { session, _ in
      let change: LiveChange
      if let n = arguments.n {
        session.stand(at: try context.position(n, session, &extras))
        change = try session.show()
      } else {
        change = try session.resume()
      }
      extras.notes += change.notes.map(\.toolText)
      return AppChangeAnswer(result: try context.verbatim(change))
    }
  }

  static let appRestore = Tool(
    "app_restore", "Set the running app to a step",
    about:
      "Sets the running app to the model after a step; the app continues from there. It loses its current model.",
    example: ["n": 16], access: .acts(isDestructive: true)
  ) { (arguments: AppRestoreArguments, context, extras) in
    try context.running { session, _ in
      session.stand(at: try context.position(arguments.n, session, &extras))
      let change = try session.restore()
      extras.notes += change.notes.map(\.toolText)
      return AppChangeAnswer(result: try context.verbatim(change))
    }
  }
}

extension ToolContext {
  /// The values that a path or an expression selects where a session stands; without one, all states.
  fileprivate func value(_ query: ValueQuery?, of session: Session) throws -> JSON {
    switch query {
    case nil: return try session.model().value
    case .expression(let expression)?: return try session.value(of: expression).value
    case .path(let path)?:
      let found = try session.values(at: path)
      return found.isSingular ? found.values.first?.value ?? .null : try verbatim(found.values).json
    }
  }

  /// The values that a path or an expression selects in a model that no step of the log led to; without one, the model.
  fileprivate func value(
    _ query: ValueQuery?, in model: JSON, of session: Session
  ) throws -> JSON {
    guard let query else { return model }
    let document = QueryDocument(members: [.init("state") { QueryDocument(model) }])
    let found = try session.values(of: query, in: document)
    if case .path(let path) = query, !path.isSingular { return try verbatim(found).json }
    guard let value = found.first?.value else {
      throw ToolFailure("\(query.text) has no value in the model that the app was set to")
    }
    return value
  }

  /// Asks a session of the running app.
  fileprivate func running<Result>(
    _ body: (inout Session, _ log: String) throws -> Result
  ) throws -> Result {
    let live = try library.live(call)
    guard let path = live.logPath else {
      throw ToolFailure(
        "\(live.name) records no log, so its states cannot be read: \(live.welcome.problem ?? "it has no recorder with a file")"
      )
    }
    let log = try open(path)
    return try library.running(call) {
      try log.replay(call, app: live.replay, live: live) { session in
        try session.catchUp()
        return try body(&session, log.name)
      }
    }
  }
}

private struct AppStateArguments: Described {
  let path: String?

  static let about: KeyValuePairs = ["path": "A path such as cart.lines, or an expression"]
}

private struct AppStateAnswer: Described {
  let log: String
  let n: VerbatimJSON
  let app: String
  let value: VerbatimJSON

  static let about: KeyValuePairs = [
    "log": "The name of the app's log, for the reading tools",
    "n": "The number of the newest step, or of the one that the app was set to since",
    "app": "live, showing or paused", "value": "The value",
  ]
}

private struct AppDispatchArguments: Described {
  let action: VerbatimJSON
  let store: String?

  static let about: KeyValuePairs = [
    "action": "{type, payload?}: the action", "store": "The only store to address it to",
  ]
}

private struct AppDispatchAnswer: Described {
  let result: VerbatimJSON

  static let about: KeyValuePairs = [
    "result": "{steps, changes, rejected?}: the steps that it led to, and what they changed"
  ]
}

private struct AppShowArguments: Described {
  let n: Int64?

  static let about: KeyValuePairs = [
    "n": "The number of the step; without it, the app is live again"
  ]
}

private struct AppRestoreArguments: Described {
  let n: Int64

  static let about: KeyValuePairs = ["n": "The number of the step"]
}

private struct AppChangeAnswer: Described {
  let result: VerbatimJSON

  static let about: KeyValuePairs = [
    "result": "{app, step?}: the state of the app, and the step whose model it has"
  ]
}
