public import FluxJSON
public import FluxLog

/// The step that an action led to in a session.
public struct ReplayedStep: Sendable, Equatable {
  /// The outcome of a step.
  public enum Outcome: Sendable, Equatable {
    /// It committed its ``ReplayedStep/changes``.
    case accepted
    /// It did not commit.
    case rejected(LogRejection)
    /// The app cannot decode the action, so nothing ran; the value is the reason.
    case undecodable(String)
  }

  /// A store that the step changed.
  public struct Change: Sendable, Equatable {
    /// The store, by the app's current name for it.
    public var store: String
    /// Its state after the step; nil for a feature that the step removed.
    public var state: JSON?

    /// Creates a change.
    public init(store: String, state: JSON?) {
      self.store = store
      self.state = state
    }
  }

  /// An action that the step dispatches.
  public struct FollowUp: Sendable, Equatable, Encodable {
    /// The action.
    public var action: JSON
    /// The store that it is addressed to.
    public var target: String?

    /// Creates a follow-up.
    public init(action: JSON, target: String? = nil) {
      self.action = action
      self.target = target
    }
  }

  /// The number of the step.
  public var number: UInt64
  /// The time of the step.
  public var time: LogTime
  /// The action in the app's current form; nil if that equals the dispatched one.
  ///
  /// For a follow-up that the session dispatched, the follow-up itself.
  public var action: JSON?
  /// The store that a follow-up is addressed to; nil for other steps.
  public var target: String?
  /// The step that dispatched a follow-up; nil for other steps.
  public var cause: UInt64?
  /// The outcome.
  public var outcome: Outcome
  /// The changed stores, in the app's order.
  public var changes: [Change]
  /// The actions that it dispatches, in order; they run only in ``SessionStart/Mode/simulate``.
  public var followUps: [FollowUp]
  /// The names of the effects that it starts; they never run.
  public var effects: [String]
  /// The effects that it starts and cancels, by the app's names of the stores; nil if there are none, or if the app does
  /// not tell the stores.
  public var storeEffects: [StoreEffects]?
  /// `true` if the step needed the value of a secret that the log does not have.
  ///
  /// It revealed a token, or drew a secret without a recorded token.
  public var needsSecret = false
  /// The number of recorded tokens of secrets that the step did not draw.
  public var unusedSecrets = 0
  /// A JSON Pointer into the payload to a redacted value because of which the action cannot be decoded; nil if
  /// there is no such value.
  public var redacted: String?

  /// Creates a step; set its other properties afterwards.
  public init(
    number: UInt64, time: LogTime, outcome: Outcome = .accepted, changes: [Change] = [],
    followUps: [FollowUp] = [], effects: [String] = []
  ) {
    self.number = number
    self.time = time
    self.outcome = outcome
    self.changes = changes
    self.followUps = followUps
    self.effects = effects
  }
}

extension ReplayedStep: Encodable {
  private enum CodingKeys: CodingKey {
    case n, t, action, target, cause, states, removed, rejected, undecodable, followUps, effects
    case needsSecret, unusedSecrets, redacted
  }

  /// Encodes the step as a message of the protocol, with the member names of a log line.
  ///
  /// `{"n","t","action"?,"target"?,"cause"?,"states"?:{store: state},"removed"?:[feature],
  /// "rejected"?:{"reason","message","store"?},"undecodable"?:why,
  /// "followUps"?:[{"action","target"?}],"effects"?:{store: [name]},"needsSecret"?:true,
  /// "unusedSecrets"?:number,"redacted"?:place}`. The effects are an array of names if the
  /// stores are unknown.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(number, forKey: .n)
    try members.encode(time, forKey: .t)
    try members.encodeIfPresent(action, forKey: .action)
    try members.encodeIfPresent(target, forKey: .target)
    try members.encodeIfPresent(cause, forKey: .cause)
    let states = changes.compactMap { change in
      change.state.map { (key: change.store, value: $0) }
    }
    if !states.isEmpty { try members.encode(states, forKey: .states) }
    try members.encode(
      nonEmpty: changes.filter { $0.state == nil }.map(\.store), forKey: .removed)
    switch outcome {
    case .accepted: break
    case .rejected(let rejection): try members.encode(rejection.json, forKey: .rejected)
    case .undecodable(let why): try members.encode(why, forKey: .undecodable)
    }
    try members.encode(nonEmpty: followUps, forKey: .followUps)
    if let storeEffects {
      try members.encode(storeEffects.map { ($0.store, $0.names) }, forKey: .effects)
    } else {
      try members.encode(nonEmpty: effects, forKey: .effects)
    }
    if needsSecret { try members.encode(true, forKey: .needsSecret) }
    if unusedSecrets > 0 { try members.encode(unusedSecrets, forKey: .unusedSecrets) }
    try members.encodeIfPresent(redacted, forKey: .redacted)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "a replayed step")
    self.init(
      number: try message.required("n", .integer), time: try message.required("t", .time))
    action = try message.optional("action", .object)
    target = try message.optional("target", .string)
    cause = try message.optional("cause", .integer)
    if let states = try message.optional("states", .object) {
      changes = states.members.map { Change(store: $0.name, state: $0.value) }
    }
    if let removed = try message.optional("removed", .strings) {
      changes += removed.map { Change(store: $0, state: nil) }
    }
    if let rejected = try message.optional("rejected", .object) {
      outcome = .rejected(try LogRejection(Message(rejected, called: "a rejection")))
    } else if let why = try message.optional("undecodable", .string) {
      outcome = .undecodable(why)
    }
    followUps = try message.list("followUps", isOptional: true, FollowUp.init)
    needsSecret = try message.optional("needsSecret", .bool) ?? false
    unusedSecrets =
      try message.optional("unusedSecrets", .integer).map { Int(clamping: $0) } ?? 0
    redacted = try message.optional("redacted", .string)
    guard let effects = json["effects"] else { return }
    if effects.kind == .object {
      let list = try StoreEffects.list(effects)
      storeEffects = list
      self.effects = list.flatMap(\.started)
    } else {
      self.effects = try message.required("effects", .strings)
    }
  }
}

extension ReplayedStep.FollowUp {
  /// The follow-up for reports: `{"action","target"?}`.
  var json: JSON { JSON(message: Self(action: Excerpt.shallow(action), target: target)) }

  fileprivate init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "a follow-up")
    action = try message.required("action", .object)
    target = try message.optional("target", .string)
  }
}

extension LogRejection {
  fileprivate init(_ message: Message) throws(MalformedMessage) {
    self.init(
      reason: try message.required("reason", .string),
      message: try message.optional("message", .string) ?? "",
      store: try message.optional("store", .string))
  }
}

extension StoreEffects {
  /// Reads `{store: [name]}`, in its order.
  fileprivate static func list(_ json: JSON) throws(MalformedMessage) -> [StoreEffects] {
    let message = try Message(json, called: "the effects of a step")
    return try json.members.map { member throws(MalformedMessage) in
      StoreEffects(store: member.name, names: try message.required(member.name, .strings))
    }
  }
}
