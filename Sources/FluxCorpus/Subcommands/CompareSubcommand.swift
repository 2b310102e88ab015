import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

extension Subcommand {
  /// `diff A B`: the differences between two logs: their actions, and the first state that differs although the actions
  /// are the same.
  package static func diff(_ left: String, _ right: String) -> Subcommand {
    Subcommand { services, output in
      let left = try Session.opened(left, with: services)
      let right = try Session.opened(right, with: services)
      for session in [left, right] where session.isDamaged {
        try output.note("\(session.log.path) is damaged: only its usable steps are compared")
      }
      for session in [left, right] { try output.note(ofTornEnd: session.log) }
      let stretches = SequenceAlignment(try left.actionKeys(), try right.actionKeys()).stretches
      let actions = stretches.flatMap { ActionDifference.differences(in: $0, left, right) }
      var comparison = LogStateComparison(left, right)
      let state = try comparison.firstDifference(along: stretches)
      let steps = try comparison.uncomparedSteps(along: stretches)
      let unknown = comparison.halfKnown
      let isSame = actions.isEmpty && state == nil && unknown.isEmpty
      let header = LogDifference.Header(a: left.log.path, b: right.log.path, same: isSame)
      let rows = LogDifference.Actions("actions", header: header) { _, _, each in
        for action in actions {
          try left.checkInterruption()
          try each(try LogDifference.Action(action, left.timeline, right.timeline))
        }
        return .init(
          LogDifference.Trailer(
            state: state, unknown: unknown.isEmpty ? nil : unknown,
            uncomparedSteps: steps.uncompared > 0 ? steps.uncompared : nil,
            comparesNothing: steps.uncompared > 0 && steps.uncompared == steps.of),
          exitCode: isSame ? 0 : 1)
      }
      return try output.write(.differences(rows), left.work)
    }
  }
}

/// The differences between two logs.
///
/// `{"a","b","same","actions":[…],"state"?:{"a","b","type"?,"changes"},"unknown"?:[{"store","a","b"}],
/// "uncomparedSteps"?}`, steps by number.
private enum LogDifference {
  typealias Actions = Rows<Header, Action, Trailer>

  struct Header: Encodable, Sendable {
    let a: String
    let b: String
    let same: Bool
  }

  /// An action that differs: `{"op","a"?,"b"?,"type","old"?,"new"?}`.
  struct Action: Encodable, Sendable {
    let op: StateChange.Operation
    let a: UInt64?
    let b: UInt64?
    let type: String
    let old: JSON?
    let new: JSON?
    /// The time of the step; not encoded.
    let t: Seconds?

    init(
      _ difference: ActionDifference, _ left: Timeline, _ right: Timeline
    ) throws(LogError) {
      let (before, after): (LogStep?, LogStep?)
      switch difference {
      case .removed(let position):
        (op, before, after) = (.remove, try left.log.step(at: position), nil)
      case .added(let position): (op, before, after) = (.add, nil, try right.log.step(at: position))
      case .changed(let from, let to):
        op = .replace
        (before, after) = (try left.log.step(at: from), try right.log.step(at: to))
      }
      (a, b) = (before?.number, after?.number)
      type = (before ?? after)?.type ?? ""
      (old, new) = (before?.payload, after?.payload)
      t = (before ?? after).map { Seconds($0.time) }
    }

    enum CodingKeys: CodingKey { case op, a, b, type, old, new }
  }

  struct Trailer: Encodable, Sendable {
    let state: StateDifference?
    let unknown: [HalfKnownState]?
    /// The number of steps after which neither log has all states; nil if there is none.
    let uncomparedSteps: Int?
    /// `true` if these are all steps; not encoded.
    let comparesNothing: Bool

    enum CodingKeys: CodingKey { case state, unknown, uncomparedSteps }
  }
}

// MARK: Text

extension Reply {
  fileprivate static func differences(_ rows: LogDifference.Actions) -> Reply {
    let header = rows.header
    return Reply(rows) { action, index, text in
      if index == 0 { try text.heading(header) }
      try text.action(action)
    } end: { end, count, text in
      if header.same {
        return try text.line(
          end.comparesNothing
            ? "the actions are the same; their states are in neither log"
            : "the same actions led to the same states"
              + (end.uncomparedSteps.map {
                "; the states of \($0.counted("step")) are in neither log, and were not compared"
              } ?? ""))
      }
      if count == 0 { try text.heading(header) }
      if let state = end.state { try text.state(state) }
      for found in end.unknown ?? [] {
        let steps = found.a == found.b ? "step \(found.a)" : "steps \(found.a) and \(found.b)"
        try text.line(
          "the state of \(found.store) is known in only one of the logs, from \(steps) on")
      }
    }
  }
}

extension TextOutput {
  fileprivate mutating func heading(_ header: LogDifference.Header) throws {
    try line("--- \(header.a)", .removed)
    try line("+++ \(header.b)", .added)
  }

  fileprivate mutating func state(_ state: StateDifference) throws {
    if let type = state.type {
      write("the same action led to different states: ", .heading)
      try line("\(type), step \(state.a) and step \(state.b)")
    } else {
      try line("the initial states differ", .heading)
    }
    if state.changes.isEmpty { try line("only one of the two was rejected") }
    try entries(state.readable)
  }

  fileprivate mutating func action(_ action: LogDifference.Action) throws {
    switch action.op {
    case .remove:
      write("- ", .removed)
      try only(action.a, action, action.old)
    case .add:
      write("+ ", .added)
      try only(action.b, action, action.new)
    case .replace:
      write("~ ", .changed)
      write("\(StepNumber(action.a)) and \(StepNumber(action.b)) ", .number)
      write(action.type, .action)
      write(": ")
      let new = payload(action.new)
      write(fitted(payload(action.old), before: " -> " + tail(of: new)), .removed)
      write(" -> ", .dim)
      try line(fitted(new), .added)
    }
  }

  private mutating func only(
    _ number: UInt64?, _ action: LogDifference.Action, _ payload: JSON?
  ) throws {
    self.action(StepNumber(number), action.type, payload)
    try line(action.t.map { " +\($0)s" } ?? "", .dim)
  }

  private func payload(_ payload: JSON?) -> String {
    payload?.description ?? "no payload"
  }
}
