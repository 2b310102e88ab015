public import FluxJSON
public import FluxLog
public import FluxReplay

/// The end of a move: the step, its action, and the reason why the move ended there.
///
/// `{"step","fork"?,"t"?,"action"?,"changed","unwritten"?,"notRecorded"?,"stopped","number"?,"rejected"?,
/// "divergence"?|"failure"?,"displays"?}`
public struct Move: CommandResult {
  /// The reasons why a move ends.
  public enum Stop: String, Sendable, Encodable {
    /// It has gone as many steps as it was told.
    case step
    /// It has reached the position that was asked for.
    case goto
    /// It has reached a breakpoint or a catchpoint.
    case breakpoint
    /// It has reached a watchpoint.
    case watchpoint
    /// It has reached a step at which the expression holds.
    case until
    /// It has reached the start of the log.
    case start
    /// It has reached the end of the log.
    case end
    /// Nothing was found to move to; the position did not change.
    case none
  }

  private enum CodingKeys: CodingKey {
    case step, fork, t, action, changed, unwritten, notRecorded, stopped, number, rejected,
      divergence
    case failure, displays
  }

  /// The number of the step.
  public let step: StepNumber
  /// The number of the fork that it is a step of; nil on the recording.
  public let fork: Int?
  /// The time of its dispatch; nil before the first step.
  public let t: Seconds?
  /// Its action; nil before the first step.
  public let action: JSON?
  /// The stores that it changed.
  public let changed: [String]
  /// The changed stores whose new states are not in the log; nil if there are none.
  public let unwritten: [String]?
  /// The stores that it may have changed as well, because the log was imported without their states; nil if there are none.
  public let notRecorded: [String]?
  /// The reason why the move ended.
  public internal(set) var stopped: Stop
  /// The number of the stop point that the move reached.
  public internal(set) var number: Int?
  /// The reason why the step did not commit.
  public let rejected: LogRejection?
  /// The divergence that a catchpoint stopped at, as in a report of `verify`.
  public internal(set) var divergence: Divergence?
  /// The failure of the app that a catchpoint stopped at.
  public internal(set) var failure: String?
  /// The values of the displays; nil if there are no displays.
  public let displays: [DisplayedValue]?

  /// The step that caused this one; not encoded.
  public let cause: UInt64?
  /// The effect that dispatched the action; not encoded.
  public let effect: String?
  /// The effects that the step asked for, as in a line of the log; not encoded.
  public let effects: JSON?
  /// All stop points that the move reached; not encoded.
  public internal(set) var hits: [StopHit] = []
  /// Remarks: a move that was cut off, steps that are missing, features that were removed.
  public package(set) var notes: [Note] = []

  init(
    step number: StepNumber, fork: Int? = nil, _ step: LogStep?, changed: [String],
    unrecorded: [String],
    stopped: Stop,
    displays: [DisplayedValue]
  ) {
    (self.step, self.fork) = (number, fork)
    t = step.map { Seconds($0.time) }
    action = step?.action
    self.changed = changed
    unwritten = step.flatMap { $0.unwritten.isEmpty ? nil : $0.unwritten }
    notRecorded = unrecorded.isEmpty ? nil : unrecorded
    self.stopped = stopped
    rejected = step?.rejection
    self.displays = displays.isEmpty ? nil : displays
    cause = step?.cause
    effect = step?.effect
    effects = step?.effects.json
  }

  /// 1 if nothing was found to move to.
  public var exitCode: Int32 { stopped == .none ? 1 : 0 }
}

/// A search by halves: `{"step","monotone"}`.
public struct Bisection: CommandResult {
  private enum CodingKeys: String, CodingKey { case step, isMonotone = "monotone" }

  /// The step where the expression became true; null if the expression is false at the end of the log.
  public let step: Nullable<StepNumber>
  /// `false` if a probe contradicts that the expression became true once and stayed true.
  public let isMonotone: Bool
  /// The move to the step; not encoded.
  public let move: Move?
  /// The remarks of the move.
  public let notes: [Note]

  init(move: Move?, isMonotone: Bool, notes: [Note]) {
    step = Nullable(move?.step)
    (self.isMonotone, self.move, self.notes) = (isMonotone, move, notes)
  }

  /// 1 if the expression does not hold at the end of the log.
  public var exitCode: Int32 { move == nil ? 1 : 0 }
}

/// A point at which moves stop, in both directions:
/// `{"number","kind","what","if"?,"enabled","temporary","hits","commands"?}`.
public struct StopPoint: Sendable, Encodable {
  /// The kinds of stop points.
  public enum Kind: Sendable {
    /// A step whose action type matches.
    case breakpoint(Glob)
    /// A step that changes the value of a path or an expression.
    case watchpoint(ValueQuery)
    /// A rejected step.
    case rejection
    /// The first step after a gap or after damage.
    case gap
    /// A step whose replay diverges from the recording.
    case divergence
    /// The step that violates a rule.
    case rule(String)
    /// A step at one of these positions, in order, which a front end has selected, and its words for them.
    case steps([Int], String)
  }

  private enum CodingKeys: String, CodingKey {
    case number, kind, subject = "what", condition = "if", isEnabled = "enabled"
    case isTemporary = "temporary", hits, commands
  }

  /// The number: 1 for the first, never used again.
  public let number: Int
  /// The kind.
  public let kind: Kind
  /// An expression that has to hold as well.
  public let condition: QueryExpression?
  /// `true` if the first move that reaches the point deletes it.
  public let isTemporary: Bool
  /// `true` if moves stop here.
  public internal(set) var isEnabled = true
  /// The number of moves that reached it.
  public internal(set) var hits = 0
  /// The command lines that a console runs when a move reaches it.
  public internal(set) var commands: [String] = []

  /// `true` if moves stop at the first step after a gap or after damage.
  var isAtGap: Bool { if case .gap = kind { true } else { false } }

  /// The kind in a word: `breakpoint`, `watchpoint` or `catchpoint`.
  public var kindName: String {
    switch kind {
    case .breakpoint, .steps: "breakpoint"
    case .watchpoint: "watchpoint"
    case .rejection, .gap, .divergence, .rule: "catchpoint"
    }
  }

  /// The glob, the path, the expression or the event, as it was written.
  public var subject: String {
    switch kind {
    case .breakpoint(let glob): glob.description
    case .watchpoint(let query): query.text
    case .rejection: "rejected"
    case .gap: "gap"
    case .divergence: "divergence"
    case .rule(let name): "rule \(name)"
    case .steps(_, let subject): subject
    }
  }

  var stop: Move.Stop {
    if case .watchpoint = kind { .watchpoint } else { .breakpoint }
  }

  /// Encodes the point as `breakpoints` lists it.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(number, forKey: .number)
    try members.encode(kindName, forKey: .kind)
    try members.encode(subject, forKey: .subject)
    try members.encodeIfPresent(condition?.text, forKey: .condition)
    try members.encode(isEnabled, forKey: .isEnabled)
    try members.encode(isTemporary, forKey: .isTemporary)
    try members.encode(hits, forKey: .hits)
    if !commands.isEmpty { try members.encode(commands, forKey: .commands) }
  }
}

/// All stop points: `{"breakpoints"}`.
public struct StopPointList: CommandResult {
  /// The stop points, by number.
  public let breakpoints: [StopPoint]
}

/// The commands of a stop point: `{"number","commands"}`.
public struct StopCommands: CommandResult {
  /// The number of the stop point.
  public let number: Int
  /// The command lines, in the order in which they run.
  public let commands: [String]

  package init(number: Int, commands: [String]) {
    (self.number, self.commands) = (number, commands)
  }
}

/// A stop point that was added or changed: `{"number","kind"}`.
public struct StopPointChange: CommandResult {
  /// The changes of a stop point.
  public enum Change: String, Sendable {
    /// It is new.
    case added
    /// Moves no longer stop there.
    case disabled
    /// Moves stop there again.
    case enabled
    /// It is gone.
    case deleted
  }

  private enum CodingKeys: CodingKey { case number, kind }

  /// The number.
  public let number: Int
  /// The kind in a word.
  public let kind: String
  /// The stop point; not encoded.
  public let point: StopPoint
  /// The change; not encoded.
  public let change: Change
  /// Remarks on a type or a path that the log does not have.
  public var notes: [Note] = []

  init(_ point: StopPoint, _ change: Change, notes: [Note] = []) {
    (number, kind) = (point.number, point.kindName)
    (self.point, self.change, self.notes) = (point, change, notes)
  }
}

/// A stop point that a move reached.
public struct StopHit: Sendable {
  /// A step at which a replay of the log diverges or fails.
  public enum Finding: Sendable, Equatable {
    /// Its replay diverges from the recording.
    case divergence(Divergence)
    /// The app fails there, so nothing is known about the steps after it.
    case failure(ReplayFailure)
  }

  /// The stop point.
  public let point: StopPoint
  /// The values that a watchpoint selected before the step; nil if they are unknown.
  public internal(set) var old: [SelectedValue]?
  /// The values that it selects after the step.
  public internal(set) var new: [SelectedValue]?
  /// The divergence or failure at a catchpoint.
  public internal(set) var finding: Finding?
  /// The way in which a step of a fork differs from the recorded one.
  var note: String?
}
