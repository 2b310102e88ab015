public import FluxLog

/// What became of an action in a session.
public struct ReplayedStep: Sendable, Equatable {
  /// How a step ended.
  public enum Verdict: Sendable, Equatable {
    /// It committed; ``ReplayedStep/changes`` has what it changed.
    case accepted
    /// It did not commit.
    case rejected(LogRejection)
    /// The app cannot read the action, so nothing ran: why.
    case undecodable(String)
  }

  /// One store that the step changed.
  public struct Change: Sendable, Equatable {
    /// The store, by the name that the app has for it today.
    public var store: String
    /// Its state after the step; nil for a feature that the step removed.
    public var state: JSON?

    /// Makes a change.
    public init(store: String, state: JSON?) {
      self.store = store
      self.state = state
    }
  }

  /// An action that the step asked for.
  public struct FollowUp: Sendable, Equatable {
    /// The action.
    public var action: JSON
    /// The store that it is addressed to.
    public var target: String?

    /// Makes a follow-up.
    public init(action: JSON, target: String? = nil) {
      self.action = action
      self.target = target
    }
  }

  /// The number of the step.
  public var number: UInt64
  /// When it ran.
  public var time: LogTime
  /// The action as the app reads it today; nil where that is the one that was given.
  ///
  /// For a follow-up that the session dispatched, the follow-up.
  public var action: JSON?
  /// The store that a follow-up was addressed to; nil for other steps.
  public var target: String?
  /// The step that a follow-up comes from; nil for other steps.
  public var cause: UInt64?
  /// How it ended.
  public var verdict: Verdict
  /// The stores that it changed, in the order of the app.
  public var changes: [Change]
  /// The actions that it asked for, in order; in ``SessionStart/Mode/simulate`` they are dispatched.
  public var followUps: [FollowUp]
  /// The names of the effects that it asked for; they never run.
  public var effects: [String]

  /// Makes a step; what else there is to say is set afterwards.
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
  /// Writes the step as a message has it, with the members that a line of a log has.
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

  /// Reads a step from a message.
  ///
  /// - Throws: ``MalformedMessage`` that names the member.
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
  /// The follow-up as reports have it: `{"action","target"?}`.
  var json: JSON {
    JSON(writing: { writer in
      ReplayedStep.FollowUp(action: Excerpt.shallow(action), target: target).write(to: &writer)
    })
  }

  /// Writes the follow-up as a message has it: `{"action","target"?}`.
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
  /// The rejection as a line of a log has it.
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
