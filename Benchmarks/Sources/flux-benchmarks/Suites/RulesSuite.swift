import FluxLog
import FluxRules
import Foundation
import Harness
import Inputs

/// Checking ten rules in a large log of small steps.
func rulesSuite(_ conditions: Conditions) -> Suite {
  let steps = conditions.scale(20_000_000, quick: 1_000_000)
  let log = Prepared {
    try conditions.file("small-steps-\(steps).jsonl") { url in
      let log = try SmallSteps(to: url, durability: .buffered)
      _ = log.handOver(steps, of: Count.self)
      try log.close()
    }
  }
  return Suite(
    "rules",
    [
      Figure("ten rules", in: .stepsPerSecond, target: .atMost(2_500, .multiplication)) {
        let path = try log.value().filePath
        let rules = try RuleSet(SmallSteps.rules)
        let bytes = try log.value().byteCount()
        return Contest(
          .repeated(amount: steps) {
            let checked = try RuleCheck(rules).run([path])
            guard checked.results.allSatisfy({ $0.verdict == .holds }) else {
              throw ExternalProgram.Failure(description: "a rule does not hold")
            }
          },
          on: "\(Readable.grouped(steps)) steps, \(Readable.grouped(bytes / 1_000_000)) MB",
          beside: [
            // One rule: no count is below zero.
            ExternalProgram.rival(
              "jq",
              [
                "-n", "reduce (inputs | .states.todos.count // 0 | select(. < 0)) as $_ (0; . + 1)",
                path,
              ],
              amount: steps)
          ])
      }
    ])
}
