public import FluxLog

/// Where a session begins.
public struct SessionStart: Sendable, Equatable {
  /// What is done with the follow-ups that a step asks for; effects never run.
  public enum Mode: String, Sendable, CaseIterable {
    /// Follow-ups are told and not dispatched: the log has them.
    case replay
    /// Follow-ups are dispatched: for actions that were edited or made up.
    case simulate
  }

  /// What is done with what a step asks for.
  public var mode: Mode
  /// What the random generators of all steps are seeded with.
  public var seed: UInt64
  /// The zero of all times.
  public var created: LogInstant
  /// The states to begin in, by the names that the stores have in the log; a feature that is not
  /// listed is absent.
  ///
  /// Nil for those that the app itself begins in. A store that the log does not know begins in the
  /// app's own.
  public var states: StoreDictionary<JSON>?
  /// The number of the first step.
  public var next: UInt64
  /// The time from which the session goes on.
  public var time: LogTime
  /// How many seconds the app may take over one call; nil for as long as it likes.
  ///
  /// A process that serves the app tells of its progress with a long call, and the seconds begin anew with
  /// each step that it tells of. A session in this process cannot stop its own code, and takes no notice.
  public var timeout: Double?

  /// Makes a beginning.
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
  /// Writes the beginning as a message has it.
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

  /// Reads a beginning from a message.
  ///
  /// - Throws: ``MalformedMessage`` that names the member.
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
