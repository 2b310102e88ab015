import FluxJSON
import FluxLog
import FluxRules
import TestFixtures
import Testing

@testable import FluxCorpus
@testable import FluxInspector

/// The reports of rules in a log that is damaged: it passes in no part.
@Suite struct RuleReportTests {
  private func suite(_ lines: [String], isStrict: Bool = false) throws -> RuledSuite {
    let folder = try TemporaryFolder()
    let path = try folder.write(lines.map { $0 + "\n" }.joined().utf8, to: "log.jsonl")
    let rules = try RuleSet(
      """
      rule small: always s.v < 5
      rule before: never c before a
      rule one: at most 0 of a
      """)
    var corpus = CorpusRules(rules)
    corpus.isStrict = isStrict
    return corpus.run([[path]])
  }

  private static let lines = [
    #"{"flux":"1.1","first":1,"stores":{"s":{"initial":{"v":0}}}}"#,
    #"{"n":1,"t":0.1,"action":{"type":"a"},"states":{"s":{"v":1}}}"#,
    #"{"end":{"steps":2,"ok":true}}"#,
  ]

  @Test("JUnit shows an error and the violations, and no rule that passes")
  func damaged() throws {
    let suite = try suite(Self.lines)
    let cases = ReportedRun(suite).cases.map { "\($0.kind) \($0.result)" }
    #expect(
      cases == ["skipped unknown", "skipped holds", "failure violated", "error damaged"])
    let failures = suite.logs.compactMap(RuledLogFailure.init)
    #expect(
      failures.map { $0.error.contains("the end line counts 2 steps, but the file has 1") } == [
        true
      ])
  }

  @Test("The error of a damaged segment names its file and line")
  func damagedSegment() throws {
    let folder = try TemporaryFolder()
    let paths = try [(1, 1), (2, 2)].map { first, count in
      let lines = [
        #"{"flux":"1.1","log":"l","first":\#(first),"stores":{"s":{"initial":{"v":0}}}}"#,
        #"{"n":\#(first),"t":0.1,"action":{"type":"a"}}"#,
        #"{"end":{"steps":\#(count),"ok":true}}"#,
      ]
      return try folder.write(lines.joined(separator: "\n") + "\n", to: "\(first).jsonl")
    }
    let suite = CorpusRules(try RuleSet("rule few: at most 9 of a")).run([paths])
    let error = try #require(ReportedRun(suite).cases.last)
    #expect("\(error.kind)" == "error")
    #expect(error.name == paths[0])
    #expect(error.log == paths[1])
    #expect(error.line == 3)
  }

  @Test(
    "A log that was not closed, or lacks its next segment, is an error in a strict run alone",
    arguments: [
      (nil, "the log was not closed"),
      (
        #"{"end":{"steps":1,"ok":true,"continued":true}}"#,
        "the recording continues in a segment that was not given"
      ),
    ] as [(String?, String)])
  func unclosed(end: String?, reason: String) throws {
    let lines = Array(Self.lines.dropLast()) + (end.map { [$0] } ?? [])
    #expect(
      try ReportedRun(suite(lines)).cases.map { "\($0.kind)" } == ["success", "success", "failure"])
    let strict = try suite(lines, isStrict: true)
    #expect(
      ReportedRun(strict).cases.map { "\($0.kind) \($0.result)" }
        == ["skipped holds", "skipped holds", "failure violated", "error unclosed"])
    #expect(
      strict.logs.compactMap(RuledLogFailure.init).map(\.error) == [reason])
    #expect(
      strict.logs[0].lines.last == "  note: \(reason); its last steps may be missing")
  }

  @Test("A log has the word of the summary in its own line, also in a strict run")
  func words() throws {
    let closed = Self.lines.dropLast() + [#"{"end":{"steps":1,"ok":true}}"#]
    for (lines, word) in [(closed, "vacuous"), (Self.lines.dropLast(), "unclosed")] {
      let folder = try TemporaryFolder()
      let path = try folder.write(lines.map { $0 + "\n" }.joined().utf8, to: "log.jsonl")
      var corpus = CorpusRules(try RuleSet("rule far: never a after b"))
      let warning = "  warning: rule far was never triggered: never a after b"
      #expect(
        corpus.run([[path]]).logs[0].lines.prefix(2) == ["holds: \(path): 1 rule, 1 step", warning])
      corpus.isStrict = true
      let strict = corpus.run([[path]])
      #expect(strict.logs[0].lines.prefix(2) == ["\(word): \(path): 1 rule, 1 step", warning])
      #expect(strict.summary == "1 log: 1 \(word)")
    }
  }

  @Test("A log that was under way when the check was interrupted counts as not run")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.lines.map { $0 + "\n" }.joined().utf8, to: "log.jsonl")
    var corpus = CorpusRules(try RuleSet("rule one: at most 0 of a"))
    corpus.isInterrupted = { true }
    let suite = corpus.run([[path]])
    #expect(ReportedRun(suite).cases.map { "\($0.kind) \($0.result)" } == ["skipped not run"])
    #expect(suite.logs.compactMap(RuledLogFailure.init).isEmpty)
  }
}
