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
      it with its causes. Use it to test a suspicion in many recordings.
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
    var checked: [CheckedLog] = []
    for (index, log) in arguments.logs.enumerated() {
      context.call.report("checking rules", index, of: arguments.logs.count)
      checked.append(try context.read(log) { try $0.check(rules) })
    }
    checked.finish()
    var rows: [JSON] = []
    for (log, checked) in zip(arguments.logs, checked) {
      for result in checked.results {
        // The steps to take next are commands of a prompt.
        let members = try context.verbatim(result).json.members.filter {
          $0.name != "next" && $0.name != "log"
        }
        rows.append(
          JSON(object: [("log", JSON(stringLiteral: log))] + members.map { ($0.name, $0.value) }))
      }
    }
    return RulesAnswer(results: try context.page(rows, from: arguments.cursor, &extras))
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
      "{log, rule, verdict, triggers, step?, chain}: a verdict is holds, violated, vacuous or unknown; step violates the rule"
  ]
}
