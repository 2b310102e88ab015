package import FluxCore
package import FluxRecorder
package import Foundation

extension ReplayExpectation {
  /// What speaks against the claim that a recording replays, which is made where there is none.
  ///
  /// - Parameters:
  ///   - url: The recording.
  ///   - updates: Whether it is made anew where it does not replay, which never happens under CI.
  ///   - recording: How it is recorded.
  ///   - stores: Makes fresh stores.
  ///   - scenario: What is done with the app in the recording.
  /// - Returns: The problems; none where the claim holds.
  /// - Throws: What the scenario throws, what goes wrong in writing, and `CancellationError`.
  nonisolated(nonsending) package func problems(
    with url: URL, updates: Bool, recording: Recorder.Options, stores: () -> [any Store],
    scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
  ) async throws -> [String] {
    if FileManager.default.fileExists(atPath: url.path) {
      guard let problem = try await problem(with: url) else { return [] }
      // Whatever is wrong with it: the scenario is the source of the recording.
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
      // A log that could not be begun is no error of `close()`.
      if let failure = recorder.failure { throw failure }
      return try await keep(recorder.url, as: url, of: test)
    } catch {
      for message in test.end(failed: true).messages { settings.say(message) }
      throw error
    }
  }

  /// Takes a new recording over, if it replays.
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
