import FluxCore
import FluxRecorder
import FluxRecordings
import FluxTesting
import Foundation
import TestFixtures
import Testing

@Suite struct ExpectRecordingTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path }

  init() throws { folder = try TemporaryFolder() }

  private struct Failed: Error {}

  private let plain: @Sendable (Dispatcher) -> Void = { dispatcher in
    dispatcher.dispatch(MeterAction.add(2))
  }

  private let contents =
    "it has all actions and states in plain text, nothing redacted; look for secrets, then commit it"

  /// The message about a recording that was asked for.
  private var recorded: String { "recorded \(path)/golden/a.jsonl: \(contents)" }

  /// Runs `expectRecording` with a folder for recordings and one for logs.
  private func run(
    _ environment: [String: String] = [:],
    stores: @escaping @Sendable () -> [any Store] = makeStores,
    _ scenario: @escaping @Sendable (Dispatcher) async throws -> Void
  ) async throws -> Run {
    var environment = environment
    environment["FLUX_RECORDINGS"] = "\(path)/logs"
    return try await Run().perform(environment) { [path] in
      try await expectRecording(
        named: "a", in: AppDefinition(stores: stores), folder: "\(path)/golden", scenario: scenario)
    }
  }

  @Test("the first run records and fails, and the second replays without the scenario")
  func records() async throws {
    let first = try await run([:], plain)
    #expect(
      first.issues == [
        """
        \(path)/golden/a.jsonl: the recording was missing, so nothing was tested; this run has recorded it: \(contents), \
        and run the test again
        """
      ])
    #expect(first.messages == [])
    let before = try folder.files()
    #expect(Array(before.keys) == ["golden/a.jsonl"])
    let second = try await run { _ in throw Failed() }
    #expect(second.issues == [] && second.messages == [])
    #expect(try folder.files() == before)
  }

  @Test("a missing recording that is asked for is recorded without an issue")
  func asked() async throws {
    let first = try await run(["FLUX_UPDATE": "1"], plain)
    #expect(first.issues == [] && first.messages == [recorded])
    #expect(try await run([:]) { _ in throw Failed() }.issues == [])
  }

  @Test("under CI nothing is recorded, and the issue says what to do")
  func missing() async throws {
    let run = try await run(["CI": "1", "FLUX_UPDATE": "1"]) { _ in
      Issue.record("the scenario ran")
    }
    #expect(
      run.issues == [
        """
        \(path)/golden/a.jsonl: the recording is missing, and under CI nothing is written; \
        run the test elsewhere, and commit the recording
        """
      ])
    #expect(try folder.names() == [])
  }

  @Test("a recording that replays otherwise is an issue, until it is to be updated")
  func diverged() async throws {
    _ = try await run([:], plain)
    let before = try folder.files()
    for environment in [[:], ["CI": "1", "FLUX_UPDATE": "1"]] {
      let run = try await run(environment, stores: makeOtherStores, plain)
      #expect(run.issues.count == 1)
      #expect(run.issues.first?.hasPrefix("diverged: \(path)/golden/a.jsonl: ") == true)
      #expect(try folder.files() == before)
    }
    let update = try await run(["FLUX_UPDATE": "1"], stores: makeOtherStores, plain)
    #expect(update.issues == [])
    #expect(update.messages == [recorded])
    #expect(try folder.files() != before)
    #expect(try await run([:], stores: makeOtherStores, plain).issues == [])
  }

  @Test("a recording that is of no use any more is made anew where that is asked for")
  func useless() async throws {
    _ = try await run([:], plain)
    try Data("{".utf8).write(to: folder.url("golden/a.jsonl"))
    let before = try folder.files()
    #expect(try await run([:], plain).issues.count == 1)
    #expect(try await run(["FLUX_UPDATE": "1", "CI": "1"], plain).issues.count == 1)
    #expect(try folder.files() == before)
    #expect(try await run(["FLUX_UPDATE": "1"], plain).issues == [])
    #expect(try await run([:], plain).issues == [])
  }

  @Test("a scenario that throws records nothing, and its log is kept beside")
  func throwing() async throws {
    await #expect(throws: Failed.self) {
      _ = try await run { dispatcher in
        dispatcher.dispatch(MeterAction.add(1))
        throw Failed()
      }
    }
    #expect(try folder.files().keys.sorted() == ["logs/a/1.jsonl"])
  }

  @Test("a recording that does not replay is not kept as one")
  func random() async throws {
    let run = try await run { $0.dispatch(MeterAction.guess) }
    #expect(
      run.issues.first?.hasPrefix(
        """
        \(path)/golden/a.jsonl: the new recording does not replay, and is not kept:
        diverged: \(path)/logs/a/1.jsonl: 1 divergence, 1 step compared

        """) == true)
    #expect(try folder.files().keys.sorted() == ["logs/a/1.jsonl"])
  }

  @Test("a scenario that does nothing is no recording")
  func nothing() async throws {
    let run = try await run { _ in }
    #expect(
      run.issues == [
        """
        \(path)/golden/a.jsonl: the new recording does not replay, and is not kept:
        empty: \(path)/logs/a/1.jsonl: 0 steps compared
        No step was compared, so nothing was tested; record some actions.
        """
      ])
  }

  @Test("a scenario may run on the main actor") @MainActor
  func mainActor() async throws {
    var count = 0
    let settings = TestSettings(environment: [:], say: { _ in })
    try await TestSettings.$current.withValue(settings) {
      try await expectRecording(
        named: "a", in: AppDefinition(stores: makeStores), folder: path, update: true
      ) { dispatcher in
        MainActor.assertIsolated()
        count += 1
        dispatcher.dispatch(MeterAction.add(1))
      }
    }
    #expect(count == 1)
  }
}
