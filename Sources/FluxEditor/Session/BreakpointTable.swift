import FluxInspector
import FluxJSON

/// A breakpoint of the client, and the stop point of the session that stands for it.
struct ClientBreakpoint {
  /// The steps that it means.
  enum Kind {
    /// The steps that a line of a file dispatched.
    case source(path: String, line: Int)
    /// The actions that match.
    case function(String)
    /// The steps that write what a path selects.
    case data(String)
    case exception(ExceptionKind)
  }

  let kind: Kind
  let condition: String?
  let hitCondition: String?
  /// The text that a log point prints; nil for a breakpoint, which stops.
  let logMessage: String?
  /// The answer to the client.
  var answer: Breakpoint

  /// The stop that the strings above describe; nil if one of them is wrong.
  var target: Target?
  /// The number of the session's stop point; nil for a log point, or if there is none.
  var number: Int?

  /// The meaning of a breakpoint in a log.
  struct Target {
    var kind: StopPoint.Kind
    var condition: QueryExpression?
    var hits: HitCondition?
    /// The message of a log point.
    var message: LogMessage?
    /// All steps that it means, and the number of steps of the log that were searched for them.
    ///
    /// Only breakpoints with a hit condition, and log points, need to know all.
    var found: (positions: [Int], count: Int)?
  }

  init(
    _ kind: Kind, _ condition: String?, _ hitCondition: String?, logMessage: String?,
    _ answer: Breakpoint
  ) {
    func text(_ given: String?) -> String? {
      given.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
    (self.kind, self.answer) = (kind, answer)
    (self.condition, self.hitCondition) = (text(condition), text(hitCondition))
    self.logMessage = text(logMessage)
  }
}

/// The breakpoints of the client, by the requests that set them.
struct BreakpointTable {
  /// A set of breakpoints that a request replaces.
  enum Group: Hashable {
    case source(String)
    case function, data, exception
  }

  private(set) var groups: [Group: [ClientBreakpoint]] = [:]
  private var lastID = 0

  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  /// Replaces the breakpoints of a group; returns the old ones.
  mutating func replace(_ group: Group, _ breakpoints: [ClientBreakpoint]) -> [ClientBreakpoint] {
    groups.updateValue(breakpoints, forKey: group) ?? []
  }

  /// All breakpoints, in the order of their identifiers.
  var all: [ClientBreakpoint] {
    groups.values.joined().sorted { $0.answer.id < $1.answer.id }
  }

  /// The breakpoint of a stop point of the session; nil if the client did not set it.
  func breakpoint(of number: Int) -> ClientBreakpoint? {
    groups.values.lazy.joined().first { $0.number == number }
  }

  /// Changes every breakpoint in place.
  mutating func update(_ change: (inout ClientBreakpoint) throws -> Void) rethrows {
    for group in groups.keys {
      guard var breakpoints = groups.removeValue(forKey: group) else { continue }
      // The group is put back even if a change fails.
      defer { groups[group] = breakpoints }
      for place in breakpoints.indices { try change(&breakpoints[place]) }
    }
  }
}
