import FluxLog
import FluxRules
import FluxTesting
import Foundation
import TestFixtures
import Testing

@Suite struct ExpectRulesTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path }

  init() throws { folder = try TemporaryFolder() }

  @Test("each recording that breaks a rule is an issue, with the step that does")
  func issues() async throws {
    try recordSample(to: folder.url("a.jsonl"))
    let rules = try RuleSet(
      "rule small: always meter.total < 2\nrule sum: meter.total never decreases")
    let run = try await Run().perform { [path] in try await expectRules(rules, of: path) }
    #expect(
      run.issues == [
        """
        violated: \(path)/a.jsonl: 1 of 2 rules, 2 steps

          \(path)/a.jsonl:3: step 2, meter/add
            violates rule small: always meter.total < 2
            next:
              swift run flux-inspect \(path)/a.jsonl -g 2
              swift run flux-inspect \(path)/a.jsonl -g 2 -e diff
        """
      ])
  }

  @Test("a missing file of rules is named")
  func missing() async throws {
    let error = await #expect(throws: LogError.self) {
      try await expectRules("\(path)/none.rules", of: path)
    }
    #expect(error?.description == "\(path)/none.rules: cannot open: No such file or directory")
  }

  @Test(
    "rules are read from a file beside the test's source, and a rule that is never triggered is mentioned"
  )
  func files() async throws {
    try recordSample(to: folder.url("a.jsonl"))
    try folder.write("rule once: at most 3 of meter/add after meter/reset\n", to: "meter.rules")
    let run = try await Run().perform { [path] in
      try await expectRules("\(path)/meter.rules", of: path)
    }
    #expect(run.issues == [])
    #expect(
      run.messages == [
        "warning: rule once was never triggered: at most 3 of meter/add after meter/reset"
      ])
    try folder.write("rule once at most\n", to: "meter.rules")
    do {
      try await expectRules("\(path)/meter.rules", of: path)
      Issue.record("a file with a mistake was read")
    } catch let error as RuleError {
      #expect(error.line == 1 && error.column == 11)
    }
  }
}
