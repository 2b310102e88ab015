import FluxCore
import FluxRecordings
import FluxRules
import FluxXCTest
import TestFixtures
import XCTest

final class AssertRulesTests: FailureCatcher {
  /// Records a lamp that is made brighter twice.
  private func recordLamp(to path: String) async throws {
    let settings = TestSettings(environment: [:], say: { _ in })
    try await TestSettings.$current.withValue(settings) {
      try await assertRecording(named: "a", in: lampApp, folder: path, update: true) {
        $0.dispatch(LampAction.brighten)
        $0.dispatch(LampAction.brighten)
      }
    }
  }

  func testARecordingThatBreaksARuleIsAFailureAtTheLineOfTheAssertion() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    try await recordLamp(to: path)
    let line = #line + 2
    let failures = try await failures {
      try await assertRules(RuleSet("rule dim: always lamp.brightness < 2"), of: path)
    }
    let text = """
      failed - violated: \(path)/a.jsonl: 1 of 1 rule, 2 steps

        \(path)/a.jsonl:3: step 2, lamp/brighten
          violates rule dim: always lamp.brightness < 2
          next:
            swift run flux-inspect \(path)/a.jsonl -g 2
            swift run flux-inspect \(path)/a.jsonl -g 2 -e diff
      """
    XCTAssertEqual(failures, [Failure(text: text, line: line)])
  }

  func testRulesAreReadFromAFileAndAMistakeIsThrown() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    try await recordLamp(to: path)
    try folder.write("rule on: lamp.brightness never decreases\n", to: "lamp.rules")
    let kept = try await failures {
      try await assertRules("\(path)/lamp.rules", of: path, listing: ["a.jsonl"])
    }
    XCTAssertEqual(kept, [])
    try folder.write("rule on: lamp.brightness never\n", to: "lamp.rules")
    do {
      try await assertRules("\(path)/lamp.rules", of: path)
      XCTFail("a file with a mistake was read")
    } catch let error as RuleError {
      XCTAssertEqual(error.line, 1)
    }
  }
}
