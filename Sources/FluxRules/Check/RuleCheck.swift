import FluxJSON
public import FluxLog

/// Checks rules in recordings, all rules in one pass over each recording.
///
/// ```swift
/// let rules = try RuleSet("rule total: always cart.total >= 0")
/// let checked = try RuleCheck(rules).run(["shop.jsonl"])
/// ```
/// The memory does not depend on the length of a recording.
public struct RuleCheck: Sendable {
  /// The rules.
  public let rules: RuleSet
  /// Called often; an error that it throws ends the check.
  public var check: @Sendable () throws -> Void = {}
  /// Returns the file in which the log at a path is stored.
  package var place: @Sendable (String) throws -> LogPlace = { LogPlace($0) }

  /// Makes a check.
  public init(_ rules: RuleSet) {
    self.rules = rules
  }

  /// Checks the rules in one recording.
  ///
  /// - Parameter segments: The path of the recording, or those of its segments in order.
  /// - Returns: The results. No rule is ``RuleVerdict/vacuous`` yet; see `findVacuousRules()`.
  /// - Throws: `LogError` if a segment cannot be read, `QueryError` if an expression is too expensive, and any error of
  ///   ``check``.
  public func run(_ segments: [String]) throws -> CheckedLog {
    let places = try segments.map(place)
    return try run(
      segments, pass: { (index) throws(LogError) in try StepPass(places[index]) }
    ) { (index) throws(LogError) in try LogFile.open(places[index]) }
  }

  /// Checks the rules in a log that is open.
  ///
  /// - Returns: As ``run(_:)``.
  /// - Throws: As ``run(_:)``.
  public func run(_ log: LogFile) throws -> CheckedLog {
    try run([log.path], pass: { (_) throws(LogError) in try StepPass(log) }) {
      (_) throws(LogError) in log
    }
  }

  private func run(
    _ segments: [String], pass open: (Int) throws(LogError) -> StepPass,
    log: (Int) throws(LogError) -> LogFile
  ) throws -> CheckedLog {
    var run: RuleRun?
    var damage: [CheckedLog.Damage] = []
    var steps = 0
    var isClosed = false
    var seekers: [StepSeeker] = []
    for (index, segment) in segments.enumerated() {
      let pass = try open(index)
      seekers.append(StepSeeker(pass))
      if let run { run.begin(pass) } else { run = RuleRun(rules.rules, pass, check: check) }
      try run?.finishPass()
      damage += pass.findings.filter(\.problem.isDamage).map { .init(path: segment, finding: $0) }
      isClosed = pass.end.map { $0.isComplete && !$0.isContinued } ?? false
      steps += run?.steps ?? 0
    }
    let name = segments.first ?? ""
    var results: [RuleResult] = []
    for (rule, progress) in zip(rules.rules, run?.progress ?? []) {
      let (verdict, step) = progress.verdict(
        isClosed: isClosed, last: run?.lastNumber ?? 0)
      results.append(
        RuleResult(
          log: name, rule: rule, verdict: verdict, triggers: progress.triggers, step: step,
          segment: name))
    }
    if results.contains(where: { $0.step != nil }) {
      if damage.isEmpty {
        try RuleEvidence([], seekers).add(to: &results)
      } else {
        var logs: [LogFile] = []
        for index in segments.indices { logs.append(try log(index)) }
        try RuleEvidence(logs).add(to: &results)
      }
    }
    return CheckedLog(
      log: name, results: results, steps: steps, isClosed: isClosed, damage: damage)
  }
}
