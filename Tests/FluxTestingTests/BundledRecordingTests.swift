import FluxCore
import FluxRecorder
import FluxRecordings
import FluxReplay
import FluxTesting
import Foundation
import Synchronization
import TestFixtures
import Testing

/// Recordings among the resources of a bundle, as on a device, where the test's source is missing.
@Suite struct BundledRecordingTests {
  private let folder: TemporaryFolder
  private let bundle: Bundle
  private var path: String { folder.url.appending(path: "Tests.bundle").path }

  init() throws {
    folder = try TemporaryFolder()
    let url = folder.url("Tests.bundle")
    try FileManager.default.createDirectory(
      at: url.appending(path: "Recordings"), withIntermediateDirectories: true)
    bundle = try #require(Bundle(url: url))
  }

  /// Replays the recordings of the bundle, with stores that behave as recorded or otherwise.
  private func replay(
    _ environment: [String: String] = [:],
    stores: @escaping @Sendable () -> [any Store] = makeStores
  ) async throws -> Run {
    try await Run().perform(environment) { [bundle] in
      try await expectReplay(
        of: "Recordings", in: AppDefinition(stores: stores), bundle: bundle)
    }
  }

  /// The files that a call attaches to the test's result, by name, and its problems.
  private final class Result: Sendable {
    let attached = Mutex<[String: [UInt8]]>([:])
    let problems = Mutex<[String]>([])
  }

  private func assertion(
    _ environment: [String: String] = [:], attaches: Bool = true, _ result: Result
  ) -> RecordingAssertion {
    var environment = environment
    environment["FLUX_RECORDINGS"] = folder.path("logs")
    return RecordingAssertion(
      in: "/nowhere/Tests.swift", bundle: bundle,
      settings: TestSettings(environment: environment, say: { _ in }),
      attach: { file in
        let bytes = [UInt8](try Data(contentsOf: file))
        if attaches { result.attached.withLock { $0[file.lastPathComponent] = bytes } }
        return attaches
      },
      report: { problem in result.problems.withLock { $0.append(problem) } })
  }

  @Test("a folder that the bundle lacks is an issue, which says how to add it")
  func missing() async throws {
    let issues = try await Run().perform { [bundle] in
      try await expectReplay(
        of: "Records", in: AppDefinition(stores: makeStores), bundle: bundle)
    }.issues
    #expect(issues.count == 1)
    #expect(
      issues.first?.hasSuffix(
        #"; copy it into the bundle: add .copy("Records") to the resources of the test target"#)
        == true)
  }

  @Test("recordings of a bundle replay, and one that does not is an issue")
  func replays() async throws {
    try recordSample(to: folder.url("Tests.bundle/Recordings/a.jsonl"))
    #expect(try await replay().issues == [])
    let diverged = try await replay(stores: makeOtherStores).issues
    #expect(diverged.count == 1)
    #expect(diverged.first?.hasPrefix("diverged: \(path)/Recordings/a.jsonl: ") == true)
  }

  @Test("a bundle without the folder is an issue")
  func noFolder() async throws {
    let run = try await Run().perform { [bundle] in
      try await expectReplay(of: "Others", in: AppDefinition(stores: makeStores), bundle: bundle)
    }
    #expect(run.issues.first?.hasPrefix("\(path)/Others: the folder cannot be read") == true)
  }

  @Test("an update is attached to the test, which fails, and the bundle stays as it is")
  func update() async throws {
    try recordSample(to: folder.url("Tests.bundle/Recordings/a.jsonl"))
    let before = try folder.files()
    let run = try await replay(["FLUX_UPDATE": "1"], stores: makeOtherStores)
    #expect(
      run.issues == [
        """
        \(path)/Recordings/a.jsonl: the recording cannot be updated in its place, which is read-only; the new one is \
        attached to the result of this test; put it beside the test's source, and commit it
        """
      ])
    #expect(run.messages == [])
    #expect(try folder.files() == before)
    let result = Result()
    try await assertion(["FLUX_UPDATE": "1"], result).replay(
      "Recordings", listing: nil, in: AppDefinition(stores: makeOtherStores),
      Verification.Options(), updates: false)
    #expect(try folder.files() == before)
    // The attachment is the updated recording, which replays in the new app.
    let bytes = try #require(result.attached.withLock { $0["a.jsonl"] })
    try Data(bytes).write(to: folder.url("Tests.bundle/Recordings/a.jsonl"))
    #expect(try await replay(stores: makeOtherStores).issues == [])
  }

  @Test("under CI there is no update, and nothing is attached")
  func underCI() async throws {
    try recordSample(to: folder.url("Tests.bundle/Recordings/a.jsonl"))
    let before = try folder.files()
    let result = Result()
    try await assertion(["FLUX_UPDATE": "1", "CI": "1"], result).replay(
      "Recordings", listing: nil, in: AppDefinition(stores: makeOtherStores),
      Verification.Options(), updates: false)
    #expect(result.attached.withLock { $0.isEmpty })
    #expect(result.problems.withLock { $0.count } == 1)
    #expect(try folder.files() == before)
  }

  @Test("a new recording that cannot be written is attached", arguments: [true, false])
  func newRecording(attaches: Bool) async throws {
    let result = Result()
    try await assertion(attaches: attaches, result).record(
      "b", in: AppDefinition(stores: makeStores), folder: "Recordings", Verification.Options(),
      recording: Recorder.Options(), updates: false
    ) { dispatcher in dispatcher.dispatch(MeterAction.add(2)) }
    let problem = try #require(result.problems.withLock { $0 }.first)
    let contents =
      "it has all actions and states in plain text, nothing redacted; look for secrets, "
    let logs = try folder.files().keys.filter { $0.hasPrefix("logs/new-") }
    #expect(logs.count == (attaches ? 0 : 1))
    let place =
      attaches
      ? "attached to the result of this test" : folder.url.appending(path: logs.first ?? "").path
    #expect(
      problem
        == "\(path)/Recordings/b.jsonl: the recording cannot be written there; the new one is \(place): "
        + contents + "then commit it beside the test's source")
    #expect(result.attached.withLock { $0.keys.sorted() } == (attaches ? ["b.jsonl"] : []))
    #expect(try folder.files().keys.filter { $0.hasPrefix("Tests.bundle") } == [])
  }
}
