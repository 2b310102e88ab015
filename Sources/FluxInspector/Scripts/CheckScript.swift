import FluxLog

/// `check LOG...`: what is wrong with logs by every rule of the format, a line for each finding.
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
      try output.write(FindingAnswer(finding: finding, file: paths.count > 1 ? path : nil))
    }
    guard findings.contains(where: { $0.problem.isDamage }) else { return 0 }
    return CommandError(.damaged, "").exitCode
  }
}

/// One finding: `{"file"?,"line","step"?,"byte","kind","message"}`.
private struct FindingAnswer: Answer {
  let finding: Finding
  /// Where several logs are told apart.
  let file: String?

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    if let file { json.writer.member("file", file) }
    for member in finding.json.members {
      json.writer.name(member.name)
      json.writer.raw(member.value)
    }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    if let file { text.write("\(file): ", .path) }
    text.write("\(finding.problem.severity.word): ", finding.problem.isDamage ? .error : .dim)
    try text.line(finding.description)
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
