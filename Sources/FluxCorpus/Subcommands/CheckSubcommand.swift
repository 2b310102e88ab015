import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

extension Subcommand {
  /// `check LOG...`: validates logs against the format, a line for each finding.
  package static func check(_ paths: [String]) -> Subcommand {
    Subcommand { services, output in
      try forEachLog(paths, with: services, to: &output) { session, file, output in
        let findings = try session.timeline.check(progress: session.work.reporting("checking"))
        for finding in findings {
          try output.write(.finding(FindingResult(finding: finding, file: file)))
        }
        let actions = try session.log.inFlight()
        let rebuildable = session.log.rebuildable(actions).count
        for (place, action) in actions.enumerated() {
          let line = findings.last?.line ?? 1
          let result = InFlightResult(
            action, isRebuildable: place < rebuildable, line: line, in: session.log, file: file)
          try output.write(.inFlight(result))
        }
        if let unwritten = session.log.unwrittenSentence {
          try output.note((file.map { "\($0): " } ?? "") + unwritten)
        }
        guard findings.contains(where: { $0.problem.isDamage }) else { return 0 }
        return CommandError(.damaged, "").exitCode
      }
    }
  }

  /// `stats LOG...`: logs in numbers, one result for each log.
  package static func stats(_ paths: [String]) -> Subcommand {
    Subcommand { services, output in
      try forEachLog(paths, with: services, to: &output) { session, file, output in
        try output.write(.statistics(try Statistics(of: session.log, file: file)))
        if session.isDamaged {
          try output.note("\(session.log.path) is damaged: only its usable steps are counted")
        }
        try output.note(ofTornEnd: session.log)
        return 0
      }
    }
  }

  /// Opens one log after the other, and passes each on, with its path if there are several to tell apart.
  ///
  /// A log that cannot be opened or read is reported, and the others follow.
  ///
  /// - Returns: The largest exit code.
  private static func forEachLog(
    _ paths: [String], with services: Services, to output: inout SubcommandOutput,
    _ body: (_ session: Session, _ file: String?, inout SubcommandOutput) throws -> Int32
  ) throws -> Int32 {
    var code: Int32 = 0
    for path in paths {
      do {
        let session = try Session.opened(path, with: services)
        code = max(code, try body(session, paths.count > 1 ? path : nil, &output))
      } catch let error as LogError {
        code = max(code, try output.fail(CommandError(.unreadable, error.message)))
      } catch let error as CommandError where error.code == .unreadable {
        // A session of Redux DevTools that cannot be imported.
        code = max(code, try output.fail(error))
      }
    }
    return code
  }
}

/// One finding: `{"file"?,"line","step"?,"byte","kind","message"}`.
private struct FindingResult: CommandResult {
  let finding: Finding
  let file: String?

  func encode(to encoder: any Encoder) throws {
    let file = file.map { [("file", JSON(stringLiteral: $0))] } ?? []
    try OrderedMembers(file + finding.json.members.map { ($0.name, $0.value) }).encode(to: encoder)
  }
}

/// An action in flight, whose step has no line: `{"file"?,"line","step","byte","kind":"in-flight","message","payload"?}`.
private struct InFlightResult: CommandResult {
  let file: String?
  /// The line that the step would have.
  let line: Int
  let step: UInt64
  let byte = 0
  let kind = "in-flight"
  let message: String
  let payload: JSON?

  init(
    _ action: InFlightAction, isRebuildable: Bool, line: Int, in log: LogFile, file: String?
  ) {
    let found = InFlightStep(action)
    (self.line, self.file) = (line, file)
    (step, payload) = (action.number, found.payload)
    let repair = "; 'repair \(log.path.shellPath) -o OUT"
    let advice =
      action.isDropped
      ? "" : repair + (isRebuildable ? " --app PATH' rebuilds it" : "' leaves it out")
    message = "in flight: \(found.sentence)\(advice)"
  }
}

extension Reply {
  fileprivate static func inFlight(_ result: InFlightResult) -> Reply {
    Reply(result) { result, text in
      if let file = result.file { text.write("\(file): ", .path) }
      text.write("note: ", .dim)
      let payload = result.payload.map { "; the payload is \($0.excerpt(200))" } ?? ""
      try text.line(
        "line \(result.line), step \(result.step): \(result.message)\(payload)")
    }
  }

  fileprivate static func finding(_ result: FindingResult) -> Reply {
    Reply(result) { result, text in
      let problem = result.finding.problem
      if let file = result.file { text.write("\(file): ", .path) }
      text.write("\(problem.severity.word): ", problem.isDamage ? .error : .dim)
      try text.line(result.finding.description)
    }
  }
}

extension LineProblem.Severity {
  fileprivate var word: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .suspect, .lost: "damage"
    }
  }
}
