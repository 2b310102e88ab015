package import FluxCore
package import FluxRecorder
package import Foundation

extension ReplayExpectation {
  /// Replays a recording, records the scenario if needed, and returns the problems.
  ///
  /// The scenario is recorded if the recording is missing, or if it does not replay and may be
  /// updated. Nothing is written under CI.
  ///
  /// - Parameters:
  ///   - url: The recording.
  ///   - updates: `true` to record the scenario again if the recording does not replay.
  ///   - recording: The options of the recorder.
  ///   - stores: Creates fresh stores.
  ///   - scenario: Uses the app while it is recorded.
  /// - Returns: The problems; empty if the recording replays.
  /// - Throws: The errors of the scenario, file errors, and `CancellationError`.
  nonisolated(nonsending) package func problems(
    with url: URL, updates: Bool, recording: Recorder.Options, stores: () -> [any Store],
    scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
  ) async throws -> [String] {
    if FileManager.default.fileExists(atPath: url.path) {
      guard let problem = try await problem(with: url) else { return [] }
      // The scenario is the source of the recording, so any problem is a reason to record it again.
      guard mayWrite(updates) else { return [problem.text + problem.remedy] }
    } else if settings.isCI {
      return [
        """
        \(url.path): the recording is missing, and under CI nothing is written; \
        run the test elsewhere, and commit the recording
        """
      ]
    }
    let test = RecordedTest(
      name: url.deletingPathExtension().lastPathComponent, in: settings.folder)
    do {
      let recorder = try test.recorder(named: nil, options: recording)
      let dispatcher = Dispatcher(stores())
      dispatcher.use(recorder)
      try await scenario(dispatcher)
      try recorder.close()
      // `close()` does not throw if the log could not be begun.
      if let failure = recorder.failure { throw failure }
      return try await keep(recorder.url, as: url, of: test)
    } catch {
      for message in test.end(failed: true).messages { settings.say(message) }
      throw error
    }
  }

  /// Keeps a new recording if it replays.
  private func keep(_ draft: URL, as url: URL, of test: RecordedTest) async throws -> [String] {
    if let problem = try await problem(with: draft) {
      _ = test.end(failed: true)
      return ["\(url.path): the new recording does not replay, and is not kept:\n\(problem.text)"]
    }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(contentsOf: draft).write(to: url, options: .atomic)
    settings.say("recorded \(url.path); commit it")
    return test.end(failed: false).problems
  }
}
