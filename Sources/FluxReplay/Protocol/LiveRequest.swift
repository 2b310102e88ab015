package import FluxJSON
package import FluxLog

/// A request to a running app.
///
/// Its names and parameters are those of `docs/app-protocol.md`.
package enum LiveRequest: Sendable, Equatable {
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

  package var method: AppProtocol.Method {
    switch self {
    case .watch: .watch
    case .present: .present
    case .resume: .resume
    case .restore: .restore
    case .dispatch: .dispatchLive
    }
  }
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
    case step, states, ignoring, action, target
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    func encode(_ position: LivePosition?) throws {
      try members.encodeIfPresent(position?.step, forKey: .step)
      if let states = position?.states { try members.encode(states.ordered, forKey: .states) }
    }
    switch self {
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

  /// Reads a request of the part `live`.
  package init(_ method: AppProtocol.Method, _ params: JSON) throws(MalformedMessage) {
    let message = try Message(params, called: "the request \(method.rawValue)")
    switch method {
    case .present:
      self = .present(
        try message.optional("step", .integer) == nil ? nil : try LivePosition(message),
        ignoresActions: try message.optional("ignoring", .bool) ?? false)
    case .restore: self = .restore(try LivePosition(message))
    case .dispatchLive:
      self = .dispatch(
        try message.required("action", .object), target: try message.optional("target", .string))
    case .resume: self = .resume
    default: self = .watch
    }
  }
}

extension LivePosition {
  fileprivate init(_ message: Message) throws(MalformedMessage) {
    step = try message.required("step", .integer)
    states = try message.optional("states", .states)
  }
}

/// The answer to `live/dispatch`: `{"verdict","step"?,"last"?,"place"?}`.
package struct LiveDispatched: Sendable, Equatable, Encodable {
  /// `changed`, `unchanged`, `rejected` or `ignored`.
  package var verdict: String
  /// The number of the step; nil for an action that was ignored.
  package var step: UInt64?
  /// The number of the last step when the action and its follow-ups had run.
  package var last: UInt64?
  /// The place in the log after that step, for a client that follows it.
  package var place: SegmentPlace?

  package init(
    verdict: String, step: UInt64? = nil, last: UInt64? = nil, place: SegmentPlace? = nil
  ) {
    (self.verdict, self.step, self.last, self.place) = (verdict, step, last, place)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to live/dispatch")
    verdict = try message.required("verdict", .string)
    step = try message.optional("step", .integer)
    last = try message.optional("last", .integer)
    place = try SegmentPlace(inAnswer: json)
  }
}
