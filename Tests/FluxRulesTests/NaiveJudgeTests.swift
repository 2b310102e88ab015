import FluxRules
import Foundation
import TestFixtures
import Testing

/// Checks random rules in random recordings, and compares with an evaluator that is as simple as the definition.
@Suite struct NaiveJudgeTests {
  private static let cases =
    ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 3_000 : 300_000
  /// The cases whose recordings have several completions and are judged by all of them.
  private static let completions = 400

  @Test("random rules get the verdicts of the definition", arguments: 0..<4)
  func verdicts(_ part: Int) throws {
    let folder = try TemporaryFolder()
    var seen: [String: Int] = [:]
    for number in 0..<Self.cases / 4 {
      let purpose = part * 1_000_000 + number
      let made = RandomTrace(RandomJSON(purpose * 2), gaps: number % 2 == 1)
      let rule = RandomRule(RandomJSON(purpose * 2 + 1))
      guard let expected = expected(rule.rule, made.trace) else {
        seen["skipped", default: 0] += 1
        continue
      }
      let path = try folder.replace("trace.jsonl", with: made.text.utf8)
      let rules = try RuleSet(rule.text)
      let result = try #require(try RuleCheck(rules).run([path]).results.first)
      var found = result.verdict.rawValue
      if let step = result.step { found += " at \(step)" }
      if expected.isExact { found += ", \(result.triggers) triggers" }
      #expect(found == expected.text, "\(rule.text)\n\(made.text)")
      if found != expected.text { return }
      seen[result.verdict.rawValue, default: 0] += 1
    }
    print("verdicts: \(seen.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
  }

  private func expected(
    _ rule: NaiveRule, _ trace: NaiveTrace
  ) -> (text: String, isExact: Bool)? {
    guard let completions = rule.completions(of: trace, limit: Self.completions) else { return nil }
    let start = min(0, trace.events.first?.number ?? 0)
    let verdicts = completions.map { rule.verdict($0, start: start) }
    let steps = verdicts.compactMap { verdict -> Int64? in
      if case .violated(let step) = verdict.0 { step } else { nil }
    }
    let since = verdicts.compactMap { verdict -> Int64? in
      if case .pending(let step) = verdict.0 { step } else { nil }
    }
    let isExact = completions.count == 1
    let suffix = isExact ? ", \(verdicts[0].triggers) triggers" : ""
    if steps.count == verdicts.count {
      return ("violated at \(steps.max() ?? 0)\(suffix)", isExact)
    }
    if steps.isEmpty, since.isEmpty { return ("holds\(suffix)", isExact) }
    let last = trace.events.last { !$0.isMissing }?.number ?? 0
    if let first = since.min().map({ $0 == .max ? last : $0 }) {
      if trace.isClosed, steps.count + since.count == verdicts.count {
        return ("violated at \(first)\(suffix)", isExact)
      }
      if !trace.isClosed, since.count == verdicts.count {
        return ("open at \(first)\(suffix)", isExact)
      }
    }
    return ("unknown\(suffix)", isExact)
  }
}
