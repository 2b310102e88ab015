import FluxInspector
import FluxJSON
import FluxLog
import FluxRules

extension Tool {
  static let check = Tool(
    "check", "Check a log for damage",
    about: """
      Damage to a log, line by line, and the actions that were in flight when it ended. Use it if an answer says \
      that states are unknown, or if the app crashed.
      """,
    example: ["log": "crash.jsonl"]
  ) { (arguments: CheckArguments, context, extras) in
    try context.read(arguments.log) { session in
      let call = context.call
      let findings = try session.timeline.check { done, total in
        guard !call.isStopped else { throw CommandError.cancelled }
        call.report("checking", done, of: total)
      }
      let inFlight = try session.information().inFlight
      return CheckAnswer(
        damaged: findings.contains { $0.problem.isDamage },
        findings: try context.page(findings.map(\.json), from: arguments.cursor, &extras),
        inFlight: inFlight.map(\.sentenceWithPayload))
    }
  }

  static let rules = Tool(
    "rules", "Check rules",
    about: """
      Checks one or more logs against rules, one rule per line: 'rule total: always cart.total >= 0', 'rule cleared: \
      checkout/paid leads to checkout/close'. Answers with a verdict for each rule and log, and the step that violates \
      it with its causes. The segments of one recording are checked as one log. Use it to test a suspicion in many \
      recordings.
      """,
    example: ["rules": "rule total: always cart.total >= 0", "logs": ["shop.jsonl"]]
  ) { (arguments: RulesArguments, context, extras) in
    guard !arguments.logs.isEmpty else { throw ToolFailure("logs is empty; name at least one log") }
    let rules: RuleSet
    do throws(RuleError) {
      rules = try RuleSet(arguments.rules)
    } catch {
      throw ToolFailure(error.description)
    }
    guard !rules.rules.isEmpty else {
      throw ToolFailure(
        "there are no rules; a rule is a line such as 'rule total: always cart.total >= 0'")
    }
    let recordings = try context.recordings(of: arguments.logs)
    var checked: [CheckedLog] = []
    for (index, segments) in recordings.enumerated() {
      context.call.report("checking rules", index, of: recordings.count)
      checked.append(
        try context.read(segments[0].name) { session in
          try session.check(rules, in: segments.map(\.name)) { name in
            try context.open(name).timeline.log
          }
        })
    }
    checked.finish()
    var rows: [JSON] = []
    for (segments, checked) in zip(recordings, checked) {
      for result in checked.results {
        let segment = segments.first { $0.path.hasSameBytes(as: result.segment) }
        // The steps to take next are commands of a prompt.
        let members = try context.verbatim(result).json.members.filter { $0.name != "next" }
        rows.append(
          JSON(
            object: members.map { member in
              let name = member.name == "segment" ? segment?.name : nil
              return (member.name, name.map { JSON(stringLiteral: $0) } ?? member.value)
            }))
      }
    }
    return RulesAnswer(results: try context.page(rows, from: arguments.cursor, &extras))
  }
}

extension ToolContext {
  /// Groups logs into recordings, the segments of each with their names and paths; none stays open for that.
  ///
  /// - Returns: As `RuleCheck.recordings(of:)`, none without a segment.
  fileprivate func recordings(of names: [String]) throws -> [[(name: String, path: String)]] {
    var segments: [(name: String, path: String)] = []
    var headers: [LogHeader] = []
    var next: [UInt64] = []
    for name in names {
      let log = try open(name).timeline.log
      segments.append((name, log.path))
      headers.append(log.header)
      next.append(log.missingAtEnd.from)
    }
    return RuleCheck.recordings(of: headers) { next[$0] }.map { $0.map { segments[$0] } }
  }
}

private struct CheckArguments: Described {
  let log: String
  let cursor: String?

  static let about: KeyValuePairs = ["log": LogArgument.about, "cursor": LogArgument.aboutCursor]
}

private struct CheckAnswer: Described {
  let damaged: Bool
  let findings: [VerbatimJSON]
  let inFlight: [String]

  static let about: KeyValuePairs = [
    "damaged": "true if lines are damaged",
    "findings": "{line, step?, byte, kind, message}, in the order of the lines",
    "inFlight": "The actions that were dispatched and have no step, as sentences",
  ]
}

private struct RulesArguments: Described {
  let rules: String
  let logs: [String]
  let cursor: String?

  static let about: KeyValuePairs = [
    "rules": "The rules, one a line", "logs": "The names of the logs",
    "cursor": LogArgument.aboutCursor,
  ]
}

private struct RulesAnswer: Described {
  let results: [VerbatimJSON]

  static let about: KeyValuePairs = [
    "results":
      "{log, rule, verdict, triggers, step?, segment?, chain}: a verdict is holds, violated, open, vacuous or unknown; step violates the rule, in segment if that is not log"
  ]
}
