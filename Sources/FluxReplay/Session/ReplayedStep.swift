public import FluxJSON
public import FluxLog

/// The step that an action led to in a session.
public struct ReplayedStep: Sendable, Equatable {
  /// The outcome of a step.
  public enum Verdict: Sendable, Equatable {
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
  public struct FollowUp: Sendable, Equatable {
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
  public var verdict: Verdict
  /// The changed stores, in the app's order.
  public var changes: [Change]
  /// The actions that it dispatches, in order; they run only in ``SessionStart/Mode/simulate``.
  public var followUps: [FollowUp]
  /// The names of the effects that it starts; they never run.
  public var effects: [String]

  /// Creates a step; set its other properties afterwards.
  public init(
    number: UInt64, time: LogTime, verdict: Verdict = .accepted, changes: [Change] = [],
    followUps: [FollowUp] = [], effects: [String] = []
  ) {
    self.number = number
    self.time = time
    self.verdict = verdict
    self.changes = changes
    self.followUps = followUps
    self.effects = effects
  }
}

extension ReplayedStep {
  /// Writes the step as a message of the protocol, with the member names of a log line.
  ///
  /// `{"n","t","action"?,"target"?,"cause"?,"states"?:{store: state},"removed"?:[feature],
  /// "rejected"?:{"reason","message","store"?},"undecodable"?:why,
  /// "followUps"?:[{"action","target"?}],"effects"?:[name]}`.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("n", number)
    writer.member("t", time)
    writer.member("action", action)
    writer.member("target", target)
    writer.member("cause", cause)
    writeChanges(to: &writer)
    switch verdict {
    case .accepted: break
    case .rejected(let rejection): writer.member("rejected", rejection.json)
    case .undecodable(let why): writer.member("undecodable", why)
    }
    writeRequests(to: &writer)
    writer.endObject()
  }

  private func writeChanges(to writer: inout JSONWriter) {
    if changes.contains(where: { $0.state != nil }) {
      writer.name("states")
      writer.beginObject()
      for change in changes { writer.member(change.store, change.state) }
      writer.endObject()
    }
    if changes.contains(where: { $0.state == nil }) {
      writer.name("removed")
      writer.strings(changes.lazy.filter { $0.state == nil }.map(\.store))
    }
  }

  private func writeRequests(to writer: inout JSONWriter) {
    if !followUps.isEmpty {
      writer.name("followUps")
      writer.beginArray()
      for followUp in followUps { followUp.write(to: &writer) }
      writer.endArray()
    }
    if !effects.isEmpty {
      writer.name("effects")
      writer.strings(effects)
    }
  }

  /// Reads a step from a message of the protocol.
  ///
  /// - Throws: ``MalformedMessage``, which names the member.
  public init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "a replayed step")
    self.init(number: try message.integer("n"), time: try message.time("t"))
    action = try message.optionalObject("action")
    target = try message.optionalString("target")
    cause = try message.optionalInteger("cause")
    if let states = try message.optionalObject("states") {
      changes = states.members.map { Change(store: $0.name, state: $0.value) }
    }
    changes += try message.optionalStrings("removed").map { Change(store: $0, state: nil) }
    if let rejected = try message.optionalObject("rejected") {
      verdict = .rejected(try LogRejection(Message(rejected, called: "a rejection")))
    } else if let why = try message.optionalString("undecodable") {
      verdict = .undecodable(why)
    }
    for followUp in try message.optionalArray("followUps")?.elements.map({ $0 }) ?? [] {
      followUps.append(try FollowUp(Message(followUp, called: "a follow-up")))
    }
    effects = try message.optionalStrings("effects")
  }
}

extension ReplayedStep.FollowUp {
  /// The follow-up for reports: `{"action","target"?}`.
  var json: JSON {
    JSON(writing: { writer in
      ReplayedStep.FollowUp(action: Excerpt.shallow(action), target: target).write(to: &writer)
    })
  }

  /// Writes the follow-up as a message of the protocol: `{"action","target"?}`.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("action", action)
    writer.member("target", target)
    writer.endObject()
  }

  fileprivate init(_ message: Message) throws(MalformedMessage) {
    action = try message.object("action")
    target = try message.optionalString("target")
  }
}

extension LogRejection {
  /// The rejection as in a log line.
  var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("reason", reason)
      writer.member("message", message)
      writer.member("store", store)
      writer.endObject()
    })
  }

  fileprivate init(_ message: Message) throws(MalformedMessage) {
    self.init(
      reason: try message.string("reason"), message: try message.optionalString("message") ?? "",
      store: try message.optionalString("store"))
  }
}
