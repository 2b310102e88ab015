import FluxLog
import FluxReplay
import FluxRules
import FluxSystem

extension ReportedRun {
  /// Makes the reported form of a check of rules: a case for each recording and rule.
  package init(_ suite: RuledSuite) {
    self.init(
      command: "rules", subject: "rule", began: suite.began, seconds: suite.seconds,
      summary: suite.summary, cases: suite.logs.flatMap(Self.cases))
  }

  private static func cases(_ log: RuledLog) -> [Case] {
    switch log.outcome {
    case .checked(let checked):
      var cases = checked.results.map { Case($0, log) }
      guard let problem = log.problem else { return cases }
      // A log that is an error passes in no part.
      for place in cases.indices where cases[place].kind == .success {
        cases[place].kind = .skipped
        cases[place].skipReason = "the log is \(problem)"
      }
      // The segment that is damaged may not be the first one.
      let damage = checked.damage.first
      cases.append(
        Case(
          name: log.log, log: damage?.path ?? log.log, line: damage?.finding.line ?? 1,
          kind: .error, result: problem, lines: log.lines, annotation: .error))
      return cases
    case .failure:
      return [
        Case(
          name: log.log, log: log.log, kind: .error, result: log.result, seconds: log.seconds,
          lines: log.lines, annotation: .error)
      ]
    case .notRun:
      return [
        Case(
          name: log.log, log: log.log, kind: .skipped, result: log.result, skipReason: "not run",
          lines: log.lines)
      ]
    }
  }
}

extension ReportedRun.Case {
  fileprivate init(_ result: RuleResult, _ log: RuledLog) {
    let lines = result.lines { "\(log.invocation) \($0.shellPath)" }.drop { $0.isEmpty }
      .map(\.printable)
    let isFailed = result.verdict == .violated || log.isFailedAsVacuous(result)
    let headline = "\(result.verdict.rawValue): \(result.log.printable): \(result.rule.name)"
    self.init(
      name: "\(result.log): \(result.rule.name)", log: result.segment, line: result.line ?? 1,
      kind: isFailed ? .failure : .success, result: result.verdict.rawValue,
      lines: [headline] + lines)
    switch result.verdict {
    case .holds:
      if !lines.isEmpty { (annotation, remarks) = (.warning, Array(lines)) }
    case .violated: annotation = .error
    case .vacuous:
      if isFailed { annotation = .error } else { (annotation, remarks) = (.warning, Array(lines)) }
    case .open, .unknown: (annotation, remarks) = (.notice, Array(lines))
    }
  }
}
