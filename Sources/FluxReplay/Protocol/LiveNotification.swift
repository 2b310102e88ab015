package import FluxJSON

/// An event in a running app, as a client that watches it is told.
///
/// The events arrive in the order in which they happened. What they change is in the app's log.
package enum LiveNotification: Sendable, Equatable {
  /// `live/steps`: actions were dispatched. `dropped` steps before them are not told, because the client was too slow.
  case steps([LiveStep], dropped: UInt64)
  /// `live/restored`: the app was set to another model; `step` is the step that led to it, if it is one of the app's.
  case restored(step: UInt64?, next: UInt64)
  /// `live/presenting`: a client shows a model in the app's views.
  case presenting(step: UInt64?, ignoresActions: Bool)
  /// `live/resumed`: the views show the newest model again.
  case resumed
  /// `live/ended`: the app serves no more.
  case ended

  package var method: AppProtocol.Notification {
    switch self {
    case .steps: .steps
    case .restored: .restored
    case .presenting: .presenting
    case .resumed: .resumed
    case .ended: .ended
    }
  }
}

/// A step of a running app: `{"n","type","rejected"?}`.
///
/// Its payload and its states are in the log only.
package struct LiveStep: Sendable, Equatable, Encodable {
  private enum CodingKeys: String, CodingKey { case number = "n", type, isRejected = "rejected" }

  package var number: UInt64
  package var type: String
  package var isRejected: Bool

  package init(number: UInt64, type: String, isRejected: Bool = false) {
    (self.number, self.type, self.isRejected) = (number, type, isRejected)
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "a step")
    number = try message.required("n", .integer)
    type = try message.required("type", .string)
    isRejected = try message.optional("rejected", .bool) ?? false
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(number, forKey: .number)
    try members.encode(type, forKey: .type)
    if isRejected { try members.encode(true, forKey: .isRejected) }
  }
}

extension LiveNotification: Encodable {
  private enum CodingKeys: CodingKey { case steps, dropped, step, next, ignoring }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .steps(let steps, let dropped):
      try members.encode(steps, forKey: .steps)
      if dropped > 0 { try members.encode(dropped, forKey: .dropped) }
    case .restored(let step, let next):
      try members.encodeIfPresent(step, forKey: .step)
      try members.encode(next, forKey: .next)
    case .presenting(let step, let ignoresActions):
      try members.encodeIfPresent(step, forKey: .step)
      if ignoresActions { try members.encode(true, forKey: .ignoring) }
    case .resumed, .ended: break
    }
  }

  /// Reads a notification; nil for one of a later version.
  package init?(_ method: String, _ params: JSON) throws(MalformedMessage) {
    let message = try Message(params, called: "the notification \(method)")
    switch AppProtocol.Notification(rawValue: method) {
    case .steps:
      self = .steps(
        try message.list("steps", LiveStep.init),
        dropped: try message.optional("dropped", .integer) ?? 0)
    case .restored:
      self = .restored(
        step: try message.optional("step", .integer), next: try message.required("next", .integer))
    case .presenting:
      self = .presenting(
        step: try message.optional("step", .integer),
        ignoresActions: try message.optional("ignoring", .bool) ?? false)
    case .resumed: self = .resumed
    case .ended: self = .ended
    case .progress, .cancel, .logSegment, .logText, .logEnded, nil: return nil
    }
  }
}
