public import FluxJSON
public import FluxLog

/// The state in which a session begins.
public struct SessionStart: Sendable, Equatable {
  /// The treatment of follow-ups; effects never run.
  public enum Mode: String, Sendable, CaseIterable {
    /// Follow-ups are reported and not dispatched: the log has them.
    case replay
    /// Follow-ups are dispatched: for edited or new actions.
    case simulate
  }

  /// The treatment of follow-ups.
  public var mode: Mode
  /// The seed of the random generators of all steps.
  public var seed: UInt64
  /// The moment from which times count.
  public var created: LogInstant
  /// The initial states, by the names of the stores in the log; a feature that is not listed is absent.
  ///
  /// Nil for the app's own initial states. A store that the log does not know begins in its own initial
  /// state.
  public var states: StoreDictionary<JSON>?
  /// The number of the first step.
  public var next: UInt64
  /// The time at which the session begins.
  public var time: LogTime
  /// The limit for each call of the app in seconds; nil for no limit.
  ///
  /// A process that serves the app reports progress during a long call, and each report of a further step
  /// restarts the limit. A session in this process cannot stop its own code and ignores the limit.
  public var timeout: Double?

  /// Creates a start.
  public init(
    mode: Mode, seed: UInt64, created: LogInstant, states: StoreDictionary<JSON>? = nil,
    next: UInt64 = 1,
    time: LogTime = LogTime(microseconds: 0), timeout: Double? = nil
  ) {
    self.mode = mode
    self.seed = seed
    self.created = created
    self.states = states
    self.next = next
    self.time = time
    self.timeout = timeout
  }
}

extension SessionStart {
  /// Writes the start as a message of the protocol.
  ///
  /// `{"mode","seed":16 hex digits,"created","states"?:{store: state},"next","t","timeout"?}`.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("mode", mode.rawValue)
    let digits = String(seed, radix: 16)
    writer.member("seed", String(repeating: "0", count: 16 - digits.utf8.count) + digits)
    writer.member("created", created.description)
    if let states {
      writer.name("states")
      writer.beginObject()
      for (store, state) in states.ordered { writer.member(store, state) }
      writer.endObject()
    }
    writer.member("next", next)
    writer.member("t", time)
    if let timeout {
      writer.name("timeout")
      writer.double(timeout)
    }
    writer.endObject()
  }

  /// Reads a start from a message of the protocol.
  ///
  /// - Throws: ``MalformedMessage``, which names the member.
  public init(_ json: JSON) throws(MalformedMessage) {
    let subject = "the start of a session"
    let message = try Message(json, called: subject)
    func wrong(_ member: String, _ expected: String) -> MalformedMessage {
      MalformedMessage(subject: subject, member: member, expected: expected, found: json[member])
    }
    guard let mode = Mode(rawValue: try message.string("mode")) else {
      throw wrong("mode", "replay or simulate")
    }
    guard let seed = UInt64(try message.string("seed"), radix: 16) else {
      throw wrong("seed", "16 hex digits")
    }
    guard let created = LogInstant(try message.string("created")) else {
      throw wrong("created", "a date and time with a zone")
    }
    let states = try message.optionalObject("states").map { states in
      StoreDictionary(states.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
    self.init(
      mode: mode, seed: seed, created: created, states: states, next: try message.integer("next"),
      time: try message.time("t"), timeout: try message.optionalSeconds("timeout"))
  }
}
