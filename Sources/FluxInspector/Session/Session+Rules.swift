import FluxJSON
package import FluxLog
import FluxReplay
public import FluxRules

/// The rules that were checked in a session.
struct LoadedRules: Sendable {
  /// The path of their file.
  let file: String
  /// The names of the rules, in the order of their file.
  let names: [String]
  /// The position at which each rule is violated.
  let violations: [String: Int]
}

extension Session {
  /// Checks the log against the rules in a file, and keeps them for catchpoints.
  ///
  /// - Parameter path: The file of rules.
  /// - Returns: A result for each rule. A rule that is never triggered is vacuous.
  /// - Throws: ``CommandError`` if the file cannot be read or a rule has a mistake, and errors of the log.
  public mutating func checkRules(in path: String) throws -> RuleResults {
    let rules = try RuleSet(reading: path, from: services.files)
    var checked = [try check(rules)]
    checked.finish()
    let results = checked.flatMap(\.results)
    var violations: [String: Int] = [:]
    for result in results where result.verdict == .violated {
      // A rule that the initial states violate has no step to stop at.
      guard let step = result.step.flatMap(UInt64.init(exactly:)),
        let position = log.position(atOrBefore: step), log.number(at: position) == step
      else { continue }
      violations[result.rule.name] = position
    }
    self.rules = LoadedRules(file: path, names: rules.rules.map(\.name), violations: violations)
    let invocation = services.hasShell ? services.invocation : nil
    return RuleResults(
      rules: results,
      text: checked.flatMap { log in
        log.lines(opening: invocation.map { start in { "\(start) \($0.shellPath)" } })
      })
  }

  /// Checks rules in the log.
  ///
  /// - Returns: A result for each rule; none is vacuous yet, because other logs may trigger it.
  /// - Throws: Errors of the log, and of rules that take too much work.
  public func check(_ rules: RuleSet) throws -> CheckedLog {
    try waitForIndex()
    var run = RuleCheck(rules)
    run.check = check
    return try run.run(log)
  }

  /// Checks rules in a recording of several segments, of which the log is one.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - segments: The names of the segments, in order.
  ///   - open: Opens a segment by its name or its path.
  /// - Returns: As ``check(_:)``.
  /// - Throws: As ``check(_:)``, and errors of `open`.
  package func check(
    _ rules: RuleSet, in segments: [String], open: @escaping (String) throws -> LogFile
  ) throws -> CheckedLog {
    var run = RuleCheck(rules)
    run.check = check
    return try run.run(segments, open: open)
  }

  /// The file of the rules that were checked last.
  package var rulesFile: String? { rules?.file }

  /// Returns the positions at which a rule is violated.
  func violations(of rule: String) throws(CommandError) -> Set<Int> {
    guard let rules else {
      throw CommandError(.notFound, "no rules have been checked yet", next: .checkRules)
    }
    guard rules.names.contains(rule) else {
      let question = Spelling.question(rule, among: rules.names)
      throw CommandError(.notFound, "there is no rule \(rule)\(question)")
    }
    return Set(rules.violations[rule].map { [$0] } ?? [])
  }
}

/// The results of checking rules in a session: `{"rules":[…]}`.
public struct RuleResults: CommandResult {
  private enum CodingKeys: CodingKey { case rules }

  /// The results, in the order of the rules.
  public let rules: [RuleResult]
  /// The results for people; not encoded.
  public let text: [String]

  /// 1 if a rule is violated.
  public var exitCode: Int32 { rules.contains { $0.verdict == .violated } ? 1 : 0 }
}
