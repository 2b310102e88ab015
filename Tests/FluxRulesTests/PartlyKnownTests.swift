import FluxRules
import TestFixtures
import Testing

/// Conditions of which a part is unknown, and rules that nothing triggers.
@Suite struct PartlyKnownTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the result of a rule in a log with the stores `s` and `f`, of which the feature `f` is absent at first.
  private func result(_ rule: String, _ steps: String) throws -> String {
    let header =
      #"{"flux":"1.1","first":1,"stores":{"s":{"initial":{"v":1}},"f":{"feature":true}}}"#
    let path = try folder.replace(
      "log.jsonl", with: "\(header)\n\(steps)\n{\"end\":{\"steps\":2,\"ok\":true}}\n".utf8)
    var logs = [try RuleCheck(try RuleSet("rule r: \(rule)")).run([path])]
    logs.finish()
    let result = try #require(logs[0].results.first)
    return result.verdict.rawValue + (result.step.map { " at \($0)" } ?? "")
      + ", \(result.triggers)"
  }

  @Test(
    "A known part of a condition decides, wherever it is",
    arguments: [
      ("never s.v > 9 || f.v == 3", "violated at 1, 1"),
      ("never f.v == 3 || s.v > 9", "violated at 1, 1"),
      ("always s.v > 9 && f.v == 4", "violated at 1, 1"),
      ("always f.v == 4 && s.v > 9", "violated at 1, 1"),
      ("never s.v > 9 || f.v == 4", "unknown, 1"),
      ("always s.v > 9 && f.v == 3", "unknown, 1"),
      ("always !(s.v > 9 && f.v == 4)", "holds, 1"),
      ("never $.n == 2 || s.v < was(s.v)", "violated at 2, 1"),
    ])
  func known(_ rule: String, _ expected: String) throws {
    let steps = """
      {"n":1,"t":1,"action":{"type":"a"},"states":{"f":{"v":3}},"unwritten":["s"]}
      {"n":2,"t":2,"action":{"type":"b"}}
      """
    #expect(try result(rule, steps) == expected)
  }

  @Test(
    "`was` is skipped after the step that adds its store, also next to `changed`",
    arguments: [
      ("never f.v != was(f.v)", "holds, 1"),
      ("never f.v != was(f.v) && changed(f.v)", "holds, 1"),
      ("never f.v != was(f.v) || changed(s.v)", "holds, 1"),
      ("never changed(f.v)", "violated at 1, 1"),
    ])
  func was(_ rule: String, _ expected: String) throws {
    let steps = """
      {"n":1,"t":1,"action":{"type":"a"},"states":{"f":{"v":3}}}
      {"n":2,"t":2,"action":{"type":"b"}}
      """
    #expect(try result(rule, steps) == expected)
  }

  @Test(
    "A path that selects no number in a scope does not trigger the rule",
    arguments: [
      ("s.v never decreases", "violated at 1, 1"),
      ("s.u never decreases", "vacuous, 0"),
      ("f.v never decreases", "holds, 1"),
      ("f.v never decreases before a", "vacuous, 0"),
      ("s.v never increases before b", "holds, 1"),
      ("s.v never decreases before b", "violated at 2, 1"),
      ("s.v never decreases after a", "holds, 1"),
      ("s.v never decreases between a and b", "vacuous, 0"),
    ])
  func numbers(_ rule: String, _ expected: String) throws {
    let steps = """
      {"n":1,"t":1,"action":{"type":"a"},"states":{"s":{"v":0},"f":{"v":3}}}
      {"n":2,"t":2,"action":{"type":"b"}}
      """
    #expect(try result(rule, steps) == expected)
  }

  @Test("A long gap in which every event closes the scope has no events in it")
  func closingEvents() throws {
    let steps = """
      {"n":1,"t":1,"action":{"type":"a"}}
      {"gap":{"from":2,"to":40,"why":"dropped"}}
      {"n":41,"t":2,"action":{"type":"b"},"states":{"s":{"v":0}}}
      """
    #expect(try result("at most 5 of b after a until b", steps) == "holds, 1")
    #expect(try result("at most 5 of b after a until c", steps) == "unknown, 1")
  }
}
