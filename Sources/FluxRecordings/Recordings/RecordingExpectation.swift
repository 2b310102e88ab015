package import FluxCore
import FluxLog
package import FluxRecorder
package import FluxReplay
import FluxSystem
package import Foundation

/// The expectation that a scenario's recording replays; a missing one is recorded.
package struct RecordingExpectation: Sendable {
  private let app: AppDefinition<Never, Never>
  private let replay: ReplayExpectation

  package init(
    of app: AppDefinition<Never, Never>, options: Verification.Options,
    settings: TestSettings = .current
  ) {
    self.app = app
    replay = ReplayExpectation(app, options: options, settings: settings)
  }

  /// Replays a recording, records the scenario if needed, and returns the problems.
  ///
  /// The scenario is recorded if the recording is missing, or if it does not replay and may be
  /// updated. Nothing is written under CI.
  ///
  /// - Throws: The errors of the scenario, file errors, and `CancellationError`.
  nonisolated(nonsending) package func problems(
    with url: URL, updates: Bool, recording: Recorder.Options,
    scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
  ) async throws -> [String] {
    if FileManager.default.fileExists(atPath: url.path) {
      guard let problem = try await replay.problem(with: url) else { return [] }
      // The scenario is the source of the recording, so any problem is a reason to record it again.
      guard replay.mayWrite(updates) else { return [problem.text + problem.remedy] }
    } else if replay.settings.isCI {
      return [
        """
        \(url.shownPath): the recording is missing, and under CI nothing is written; \
        run the test elsewhere, and commit the recording
        """
      ]
    }
    var recording = recording
    recording.circumstances.merge(app.circumstances) { given, _ in given }
    let test = RecordedTest(
      name: url.deletingPathExtension().lastPathComponent, in: replay.settings.folder)
    do {
      let recorder = try test.recorder(named: nil, options: recording)
      let dispatcher = Dispatcher(app.makeStores())
      dispatcher.use(recorder)
      try await scenario(dispatcher)
      try recorder.close()
      // `close()` does not throw if the log could not be begun.
      if let failure = recorder.failure { throw failure }
      return try await keep(
        recorder.url, as: url, of: test, contents: recording.redaction.summary)
    } catch {
      for message in test.end(failed: true).messages { replay.settings.say(message) }
      throw error
    }
  }

  /// Keeps a new recording if it replays.
  private func keep(
    _ draft: URL, as url: URL, of test: RecordedTest, contents: String
  ) async throws -> [String] {
    if let problem = try await replay.problem(with: draft) {
      _ = test.end(failed: true)
      return [
        "\(url.shownPath): the new recording does not replay, and is not kept:\n\(problem.text)"
      ]
    }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try copy(draft, to: url)
    replay.settings.say(
      "recorded \(url.shownPath): it has \(contents); look for secrets, then commit it")
    return test.end(failed: false).problems
  }

  /// Copies a recording to the place that the test names, as a file that the user's mask permits others to read.
  private func copy(_ draft: URL, to url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: draft))
    do throws(SystemError) {
      let path = try SymbolicLink.target(of: url.path)
      let permissions = try FileStatus(path: path)?.permissions
      let file = try UnfinishedFile(for: path, permissions: permissions)
      if let failure = file.descriptor.write(bytes).failure {
        file.discard()
        throw failure
      }
      try file.publish(replacesExisting: true)
    } catch {
      throw LogError(error, path: url.path)
    }
  }
}
