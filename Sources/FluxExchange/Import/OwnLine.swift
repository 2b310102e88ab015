import FluxJSON
import FluxLog

/// A line of the log from which this program exported a session.
enum OwnLine {
  /// A step, and the stores whose states are not known after it.
  case step(LogStep, unknown: [String])
  case mark(LogMark)
  case gap(LogGap)

  /// Reads the end line of the log from the member `flux` of a session; `nil` if the log was not closed.
  ///
  /// An export without it is of a log that was closed and complete.
  static func end(in flux: JSON, of source: ImportSource) throws -> LogEnd? {
    guard let end = flux["end"] else { return LogEnd(steps: 0, isComplete: true) }
    guard !end.isNull else { return Optional<LogEnd>.none }
    guard case .end(let line)? = LogLine(object: JSON(object: [("end", end)])) else {
      throw source.problem("$.flux.end", "expected the end of a log, or null")
    }
    return line
  }

  /// Reads the circumstances of an entry; `unescaped` returns a value as the log has it.
  init(
    _ entry: ImportedAction, in source: ImportSource, unescaped: (JSON) throws -> JSON,
    at place: String
  ) throws {
    guard let flux = try entry.flux.map(unescaped), flux.kind == .object else {
      throw source.problem(
        place, "expected a member flux with the circumstances of a step",
        hint: "remove the member flux of the session to import it like any other")
    }
    if flux["mark"] != nil {
      guard let text = flux["mark"]?.string, let time = flux["t"]?.number,
        let t = LogTime(seconds: time.text)
      else { throw source.problem("\(place).flux", "expected a mark of a log") }
      self = .mark(LogMark(text: text, time: t))
      return
    }
    if flux["gap"] != nil {
      guard case .gap(let gap)? = LogLine(object: flux) else {
        throw source.problem("\(place).flux", "expected a gap of a log")
      }
      self = .gap(gap)
      return
    }
    let action = try unescaped(entry.action)
    let circumstances = flux.members.filter { $0.name != "unknown" }.map { ($0.name, $0.value) }
    let line = JSON(object: circumstances + [("action", action)])
    guard case .step(let step)? = LogLine(object: line) else {
      throw source.problem("\(place).flux", "expected the circumstances of a step")
    }
    self = .step(step, unknown: flux["unknown"]?.elements.compactMap(\.string) ?? [])
  }
}
