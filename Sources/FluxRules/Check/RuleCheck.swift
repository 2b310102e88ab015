public import FluxLog

/// Checks rules in recordings, all rules in one pass over each recording.
///
/// ```swift
/// let rules = try RuleSet("rule total: always cart.total >= 0")
/// let checked = try RuleCheck(rules).run(["shop.jsonl"])
/// ```
/// The memory is that of the index: two to four bytes for each step.
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
  /// - Parameter segments: The path of the recording, or those of its segments in order; without one, there are no results.
  /// - Returns: The results. No rule is ``RuleVerdict/vacuous`` yet; see `finish()`.
  /// - Throws: `LogError` if a segment cannot be read, `QueryError` if an expression is too expensive, and any error of
  ///   ``check``.
  public func run(_ segments: [String]) throws -> CheckedLog {
    try run(segments) { try LogFile.open(place($0)) }
  }

  /// Checks the rules in a log that is open.
  ///
  /// - Returns: As ``run(_:)``.
  /// - Throws: As ``run(_:)``.
  public func run(_ log: LogFile) throws -> CheckedLog { try run([log.path]) { _ in log } }

  /// Checks the rules in one recording, whose segments are opened by `open`.
  ///
  /// - Returns: As ``run(_:)``.
  /// - Throws: As ``run(_:)``, and any error of `open`.
  package func run(
    _ segments: [String], open: @escaping (String) throws -> LogFile
  ) throws -> CheckedLog {
    var run: RuleRun?
    var evidence = RuleEvidence(check: check, open: open)
    var end: LogEnd?
    var damage: [CheckedLog.Damage] = []
    var steps = 0
    var stores: Set<BytewiseName> = []
    for segment in segments {
      let log = try open(segment)
      try log.waitForIndex(check: check)
      var current = run ?? RuleRun(rules.rules, first: log.header.first, check: check)
      try current.pass(over: log)
      run = current
      evidence.add(log)
      end = log.end
      stores.formUnion(log.storeNames.map(BytewiseName.init))
      damage += log.findings.filter(\.problem.isDamage).map { .init(path: segment, finding: $0) }
      steps += log.count
    }
    let ending = CheckedLog.Ending(end)
    let name = segments.first ?? ""
    var results: [RuleResult] = []
    for (rule, progress) in zip(rules.rules, run?.progress ?? []) {
      let (verdict, step) = progress.verdict(
        isClosed: ending == .closed, last: run?.lastNumber ?? 0)
      results.append(
        RuleResult(
          log: name, rule: rule, verdict: verdict, triggers: progress.triggers, step: step,
          segment: name))
    }
    try evidence.add(to: &results)
    return CheckedLog(
      log: name, stores: stores.sorted().map(\.text), results: results, steps: steps,
      ending: ending,
      damage: damage)
  }
}
