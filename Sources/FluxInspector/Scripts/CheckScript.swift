import FluxJSON
import FluxLog

/// `check LOG...`: validates logs against the format, a line for each finding.
package struct CheckScript: Script {
  private let paths: [String]

  /// Makes the script.
  package init(_ paths: [String]) { self.paths = paths }

  package func perform(with services: Services, to output: inout ScriptOutput) throws -> Int32 {
    var code: Int32 = 0
    for path in paths {
      do {
        code = max(code, try check(path, with: services, to: &output))
      } catch let error as LogError {
        code = max(code, try output.fail(CommandError(.unreadable, error.message)))
      }
    }
    return code
  }

  private func check(
    _ path: String, with services: Services, to output: inout ScriptOutput
  ) throws -> Int32 {
    let session = try Session.opened(path, with: services)
    let findings = try session.timeline.check(progress: session.reporting("checking"))
    for finding in findings {
      try output.write(.finding(FindingResult(finding, file: paths.count > 1 ? path : nil)))
    }
    guard findings.contains(where: { $0.problem.isDamage }) else { return 0 }
    return CommandError(.damaged, "").exitCode
  }
}

/// One finding: `{"file"?,"line","step"?,"byte","kind","message"}`.
private struct FindingResult: CommandResult {
  let finding: Finding
  /// The log, if there are several to tell apart.
  let file: String?

  init(_ finding: Finding, file: String?) { (self.finding, self.file) = (finding, file) }

  func encode(to encoder: any Encoder) throws {
    let file = file.map { [("file", JSON(stringLiteral: $0))] } ?? []
    try OrderedMembers(file + finding.json.members.map { ($0.name, $0.value) }).encode(to: encoder)
  }
}

extension Reply {
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
