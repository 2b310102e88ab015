package import FluxJSON
package import FluxLog

/// A request to a running app.
///
/// Its names and parameters are those of `docs/live.md`.
package enum LiveRequest: Sendable, Equatable {
  /// `initialize`: the first request.
  case initialize(version: String, client: String?)
  /// `live/watch`: asks for the notifications of ``LiveNotification``.
  case watch
  /// `live/present`: shows a model in the app's views; nil for the newest one.
  ///
  /// Until the presentation ends, the app may ignore the actions of its user.
  case present(LivePosition?, ignoresActions: Bool)
  /// `live/resume`: ends the presentation.
  case resume
  /// `live/restore`: sets the app to a model.
  case restore(LivePosition)
  /// `live/dispatch`: dispatches an action.
  case dispatch(JSON, target: String?)

  /// The names of the requests.
  package enum Method: String, CaseIterable {
    case initialize
    case watch = "live/watch"
    case present = "live/present"
    case resume = "live/resume"
    case restore = "live/restore"
    case dispatch = "live/dispatch"
  }

  package var method: Method {
    switch self {
    case .initialize: .initialize
    case .watch: .watch
    case .present: .present
    case .resume: .resume
    case .restore: .restore
    case .dispatch: .dispatch
    }
  }

  /// The part of an app's permissions that a request needs; nil if every client may make it.
  package var permission: LivePermission? {
    switch self {
    case .initialize: nil
    case .watch: .watch
    case .present, .resume: .present
    case .restore: .restore
    case .dispatch: .dispatch
    }
  }
}

/// A part of the permissions of an app.
package enum LivePermission: String, Sendable, CaseIterable {
  case watch, dispatch, present, restore
}

/// A step of the app's log, with the recorded states for an app that no longer has them.
package struct LivePosition: Sendable, Equatable {
  /// The number of the step; that before the first for the state before it.
  package var step: UInt64
  /// The states after the step, by store; nil if the app may still have its own.
  package var states: StoreDictionary<JSON>?

  package init(step: UInt64, states: StoreDictionary<JSON>? = nil) {
    (self.step, self.states) = (step, states)
  }
}

extension LiveRequest: Encodable {
  private enum CodingKeys: String, CodingKey {
    case version = "protocol", client, step, states, ignoring, action, target
  }

  /// Encodes the parameters.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    func encode(_ position: LivePosition?) throws {
      try members.encodeIfPresent(position?.step, forKey: .step)
      if let states = position?.states { try members.encode(states.ordered, forKey: .states) }
    }
    switch self {
    case .initialize(let version, let client):
      try members.encode(version, forKey: .version)
      try members.encodeIfPresent(client, forKey: .client)
    case .watch, .resume: break
    case .present(let position, let ignoresActions):
      try encode(position)
      if ignoresActions { try members.encode(true, forKey: .ignoring) }
    case .restore(let position): try encode(position)
    case .dispatch(let action, let target):
      try members.encode(action, forKey: .action)
      try members.encodeIfPresent(target, forKey: .target)
    }
  }

  /// Reads a request.
  ///
  /// - Throws: ``RPCError`` if there is no such request, or if its parameters are malformed.
  package init(_ method: String, _ params: JSON) throws(RPCError) {
    guard let name = Method(rawValue: method) else {
      let known = Method.allCases.map(\.rawValue).joined(separator: ", ")
      throw RPCError(.methodNotFound, "there is no method \"\(method)\"; there are \(known)")
    }
    do {
      self = try Self.read(name, Message(params, called: "the request \(method)"))
    } catch {
      throw RPCError(error)
    }
  }

  private static func read(
    _ method: Method, _ message: Message
  ) throws(MalformedMessage) -> LiveRequest {
    switch method {
    case .initialize:
      .initialize(
        version: try message.required("protocol", .string),
        client: try message.optional("client", .string))
    case .watch: .watch
    case .resume: .resume
    case .present:
      .present(
        try message.optional("step", .integer) == nil ? nil : try LivePosition(message),
        ignoresActions: try message.optional("ignoring", .bool) ?? false)
    case .restore: .restore(try LivePosition(message))
    case .dispatch:
      .dispatch(
        try message.required("action", .object), target: try message.optional("target", .string))
    }
  }
}

extension LivePosition {
  fileprivate init(_ message: Message) throws(MalformedMessage) {
    step = try message.required("step", .integer)
    states = try message.optional("states", .object).map { states in
      StoreDictionary(states.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
  }
}

/// The answer to `initialize`: `{"protocol","app":{"name"?,"version"?},"process","log"?,"problem"?,"allows":[…]}`.
package struct LiveWelcome: Sendable, Equatable, Encodable {
  private enum CodingKeys: String, CodingKey {
    case version = "protocol", app, process, log, problem, allows
  }

  package struct App: Sendable, Equatable, Encodable {
    package var name: String?
    package var version: String?

    package init(name: String? = nil, version: String? = nil) {
      (self.name, self.version) = (name, version)
    }
  }

  package var version = HostProtocol.version
  package var app: App
  /// The number of the process.
  package var process: UInt64
  /// The file that the app records; nil if it records none.
  package var log: String?
  /// The reason why there is no log, or no more of it.
  package var problem: String?
  /// The names of ``LivePermission``; others are of later versions.
  package var allows: [String]

  package init(
    app: App, process: UInt64, log: String?, problem: String? = nil, allows: [LivePermission]
  ) {
    (self.app, self.process, self.log, self.problem) = (app, process, log, problem)
    self.allows = allows.map(\.rawValue)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to initialize")
    version = try message.required("protocol", .string)
    let app = try Message(try message.required("app", .object), called: "the app")
    self.app = App(
      name: try app.optional("name", .string), version: try app.optional("version", .string))
    process = try message.required("process", .integer)
    log = try message.optional("log", .string)
    problem = try message.optional("problem", .string)
    allows = try message.required("allows", .strings)
  }
}

/// The answer to `live/dispatch`: `{"verdict","step"?,"last"?}`.
package struct LiveDispatched: Sendable, Equatable, Encodable {
  /// `changed`, `unchanged`, `rejected` or `ignored`.
  package var verdict: String
  /// The number of the step; nil for an action that was ignored.
  package var step: UInt64?
  /// The number of the last step when the action and its follow-ups had run.
  package var last: UInt64?

  package init(verdict: String, step: UInt64? = nil, last: UInt64? = nil) {
    (self.verdict, self.step, self.last) = (verdict, step, last)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to live/dispatch")
    verdict = try message.required("verdict", .string)
    step = try message.optional("step", .integer)
    last = try message.optional("last", .integer)
  }
}
