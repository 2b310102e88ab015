import FluxCore
import FluxRecorder
import FluxRecordings
import FluxXCTest
import TestFixtures
import XCTest

final class AssertReplayTests: FailureCatcher {
  /// Asserts under an environment; returns the failures, and what people were told.
  private func check(
    _ environment: [String: String], _ body: () async throws -> Void
  ) async throws -> [Failure] {
    let settings = TestSettings(environment: environment, say: { _ in })
    return try await failures {
      try await TestSettings.$current.withValue(settings) { try await body() }
    }
  }

  func testARecordingIsMadeThenReplaysAndFailsWhereTheAppDoesSomethingElse() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    let first = try await check(["FLUX_RECORDINGS": "\(path)/logs"]) {
      try await assertRecording(named: "a", in: lampApp, folder: "\(path)/golden", update: true) {
        $0.dispatch(LampAction.brighten)
      }
    }
    XCTAssertEqual(first, [])
    let before = try folder.files()
    XCTAssertEqual(Array(before.keys), ["golden/a.jsonl"])
    let second = try await check([:]) {
      try await assertReplay(of: "\(path)/golden", in: lampApp)
    }
    XCTAssertEqual(second, [])

    let line = #line + 2
    let third = try await check(["CI": "1", "FLUX_UPDATE": "1"]) {
      try await assertReplay(
        of: "\(path)/golden", in: AppDefinition { [LampStore(amount: 5)] }, update: true)
    }
    let text = """
      failed - diverged: \(path)/golden/a.jsonl: 1 divergence, 1 step compared

        \(path)/golden/a.jsonl:2: step 1, {"type":"lamp/brighten"}
          after lamp/brighten, the store lamp differs at /lamp/brightness
            recorded: 1
            replayed: 5
          next:
            swift run flux-inspect \(path)/golden/a.jsonl -g 1
            swift run flux-inspect \(path)/golden/a.jsonl -g 1 -e diff
            swift run flux-inspect \(path)/golden/a.jsonl -g 1 -e 'blame /lamp/brightness'

      If the change is intended, run the test with FLUX_UPDATE=1 outside of CI, and commit the \
      recording.
      """
    XCTAssertEqual(third, [Failure(text: text, line: line)])
    XCTAssertEqual(try folder.files(), before)
  }

  func testARecordingThatIsMissingAndOneThatIsNotListedFail() async throws {
    let (folder, logs) = (try TemporaryFolder(), try TemporaryFolder())
    let path = folder.url.path
    for name in ["a", "old"] {
      let made = try await check(["FLUX_RECORDINGS": logs.url.path]) {
        try await assertRecording(named: name, in: lampApp, folder: path, update: true) {
          $0.dispatch(LampAction.brighten)
        }
      }
      XCTAssertEqual(made, [])
    }
    let before = try folder.files()
    let all = try await check([:]) {
      try await assertReplay(of: path, listing: ["a.jsonl", "old.jsonl"], in: lampApp)
    }
    XCTAssertEqual(all, [])
    let line = #line + 2
    let found = try await check(["CI": "1", "FLUX_UPDATE": "1"]) {
      try await assertReplay(of: path, listing: ["a.jsonl", "gone.jsonl"], in: lampApp)
    }
    XCTAssertEqual(
      found,
      [
        Failure(
          text: """
            failed - \(path)/gone.jsonl: the recording is missing; commit it, or take it off the \
            test's list
            """, line: line),
        Failure(
          text: """
            failed - \(path)/old.jsonl: the recording is obsolete: the test does not list it; \
            remove it, or put it on the list
            """, line: line),
      ])
    XCTAssertEqual(try folder.files(), before)
  }

  func testUnderCIAMissingRecordingFailsAndNothingIsWritten() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    let line = #line + 2
    let found = try await check(["CI": "1"]) {
      try await assertRecording(named: "a", in: lampApp, folder: path) { _ in
        XCTFail("the scenario ran")
      }
    }
    let text = """
      failed - \(path)/a.jsonl: the recording is missing, and under CI nothing is written; \
      run the test elsewhere, and commit the recording
      """
    XCTAssertEqual(found, [Failure(text: text, line: line)])
    XCTAssertEqual(try folder.names(), [])
  }

  func testAMissingRecordingFailsTheRunThatRecordsIt() async throws {
    let (folder, logs) = (try TemporaryFolder(), try TemporaryFolder())
    let path = folder.url.path
    for count in [1, 0] {
      let found = try await check(["FLUX_RECORDINGS": logs.url.path]) {
        try await assertRecording(named: "a", in: lampApp, folder: path) {
          $0.dispatch(LampAction.brighten)
        }
      }
      XCTAssertEqual(found.count, count)
      if count == 1 {
        let text =
          "failed - \(path)/a.jsonl: the recording was missing, so nothing was tested; this run"
        XCTAssertEqual(found.first?.text.hasPrefix(text), true)
      }
    }
  }

  func testRecordingsOfABundle() async throws {
    let folder = try TemporaryFolder()
    let bundle = try XCTUnwrap(Bundle(url: folder.url))
    _ = try await check([:]) {
      try await assertRecording(
        named: "a", in: lampApp, folder: folder.path("Recordings"), update: true
      ) { $0.dispatch(LampAction.brighten) }
    }
    let before = try folder.files()
    let found = try await check([:]) {
      try await assertReplay(of: "Recordings", in: lampApp, bundle: bundle)
    }
    XCTAssertEqual(found, [])
    let line = #line + 2
    let missing = try await check([:]) {
      try await assertReplay(
        of: "Recordings", listing: ["a.jsonl", "b.jsonl"], in: lampApp, bundle: bundle)
    }
    XCTAssertEqual(missing.map(\.line), [line])
    XCTAssertEqual(try folder.files(), before)
  }
}
