public import FluxJSON
public import FluxLog
import FluxSystem

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
  /// `true` if the states are those of another session of the app, by the app's names: they have its current form, and no
  /// upcaster takes them.
  public var areStatesCurrent = false
  /// The number of the first step.
  public var next: UInt64
  /// The time at which the session begins.
  public var time: LogTime

  /// Creates a start.
  public init(
    mode: Mode, seed: UInt64, created: LogInstant, states: StoreDictionary<JSON>? = nil,
    next: UInt64 = 1, time: LogTime = LogTime(microseconds: 0)
  ) {
    self.mode = mode
    self.seed = seed
    self.created = created
    self.states = states
    self.next = next
    self.time = time
  }
}

extension SessionStart: Encodable {
  private enum CodingKeys: CodingKey { case mode, seed, created, states, current, next, t }

  /// Encodes the start as a message of the protocol.
  ///
  /// `{"mode","seed":16 hex digits,"created","states"?:{store: state},"current"?:true,"next","t"}`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(mode.rawValue, forKey: .mode)
    try members.encode(seed.hexDigits, forKey: .seed)
    try members.encode(created.description, forKey: .created)
    if let states { try members.encode(states.ordered, forKey: .states) }
    if areStatesCurrent { try members.encode(true, forKey: .current) }
    try members.encode(next, forKey: .next)
    try members.encode(time, forKey: .t)
  }

  /// Reads a start from a message of the protocol, as the tests do that `test` writes.
  ///
  /// - Throws: An error that names the member that is missing or wrong.
  public init(_ json: JSON) throws {
    let message = try Message(json, called: "the start of a session")
    let mode: Mode = try message.required("mode", .choice)
    guard let seed = try message.required("seed", .string).hexSeed else {
      throw message.wrong("seed", "16 hex digits")
    }
    let created = try message.required("created", .instant)
    self.init(
      mode: mode, seed: seed, created: created, states: try message.optional("states", .states),
      next: try message.required("next", .integer), time: try message.required("t", .time))
    areStatesCurrent = try message.optional("current", .bool) ?? false
  }
}

extension SessionStart {
  /// Creates the start of a session in the app's own initial states, with the seed and the clock of a log.
  init(_ mode: Mode, of log: LogFile) {
    self.init(
      mode: mode, seed: log.header.seed ?? 0,
      created: log.header.created ?? LogInstant(microseconds: 0))
  }

  /// Creates the start of a session after the step at a position, in the recorded states there.
  init(
    _ mode: Mode, after position: Int, in model: RecordedModel, of timeline: Timeline,
    for app: AppDescription
  ) throws {
    let log = timeline.log
    try app.refuseReflectedStates(of: log)
    self.init(mode, of: log)
    states = model.states.compactMapValues(\.json).filter { store, _ in app.hasStore(store) }
    next = log.number(at: position + 1) ?? log.header.first
    if position >= 0 { time = try log.step(at: position).time }
  }

  /// Begins in the states that another session of an app has returned.
  package mutating func begin(in current: StoreDictionary<JSON>, of app: AppDescription) {
    states = current
    areStatesCurrent = app.convertsStates
  }
}

extension SessionStart.Mode {
  /// Returns the number of the step after a step: a simulation counts only steps that ran.
  package func next(after step: ReplayedStep) -> UInt64 {
    if self == .simulate, case .undecodable = step.outcome { return step.number }
    return step.number &+ 1
  }
}
