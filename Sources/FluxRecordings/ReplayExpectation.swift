package import FluxCore
import FluxLog
package import FluxRecorder
package import FluxReplay
import FluxSystem
package import Foundation

/// The expectation that recordings replay as recorded.
package struct ReplayExpectation: Sendable {
  let app: any ReplayApp
  let options: Verification.Options
  let settings: TestSettings

  package init(
    _ app: any ReplayApp, options: Verification.Options, settings: TestSettings = .current
  ) {
    self.app = app
    self.options = options
    self.settings = settings
  }

  /// Replays the recordings of a folder, and returns a message for each problem.
  ///
  /// If `listing` is nil, all recordings in the folder are accepted. Under CI, `updates` is ignored.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func problems(
    in folder: URL, listing: [String]?, updates: Bool
  ) async throws -> [String] {
    let contents = RecordingFolder(url: folder, listing: listing).contents(isCI: settings.isCI)
    var problems = contents.problems
    for url in contents.logs {
      guard let problem = try await problem(with: url) else { continue }
      guard mayWrite(updates), problem.isDivergence else {
        problems.append(problem.text + problem.remedy)
        continue
      }
      problems += try await update(url, problem)
    }
    return problems
  }

  func mayWrite(_ updates: Bool) -> Bool { !settings.isCI && (updates || settings.updates) }

  /// A problem with a recording.
  struct Problem {
    var text: String
    /// The way to accept the app's new behavior, appended to the text; empty if there is none.
    var remedy = ""
    /// `true` if the recording is sound and the app diverges from it.
    var isDivergence = false
  }

  /// Replays a recording, and returns the problem; nil if it replays as recorded.
  func problem(with url: URL) async throws -> Problem? {
    do {
      let verification = try Verification(of: Timeline(open(url)), in: app, options: options)
      var report = try verification.run { _, _ in try Task.checkCancellation() }
      report.inspector = "swift run flux-inspect"
      switch report.verdict {
      case .passed: return nil
      case .empty:
        return Problem(
          text: "\(report.text)No step was compared, so nothing was tested; record some actions.")
      case .diverged where report.damage.isEmpty && (report.severity ?? .fine) == .fine:
        return Problem(text: report.text, remedy: "\n\(remedy)", isDivergence: true)
      case .diverged, .incompatible, .damaged: return Problem(text: report.text)
      }
    } catch let error as CancellationError {
      throw error
    } catch let error as LogError {
      return Problem(text: "\(error)")
    } catch {
      let why = "\(error)".printableLines()
      return Problem(text: "\(url.shownPath): the recording cannot be replayed: \(why)")
    }
  }

  func open(_ url: URL) throws(LogError) -> LogFile { try LogFile.open(url.path) }

  private var remedy: String {
    settings.isCI
      ? """
      If the change is intended, run the test with FLUX_UPDATE=1 outside of CI, and commit the \
      recording.
      """
      : "If the change is intended, run the test with FLUX_UPDATE=1, and commit the recording."
  }

  /// Updates a diverging recording with the states that its actions lead to now.
  ///
  /// Returns the reasons why the recording stays unchanged; empty if it was updated.
  private func update(_ url: URL, _ problem: Problem) async throws -> [String] {
    do {
      // The environment is empty because the settings have already checked for CI.
      let update = RecordingUpdate(
        of: Timeline(try open(url)), in: app, options: options, environment: [:])
      try update.write(to: url.path) { _, _ in try Task.checkCancellation() }
    } catch let error as CancellationError {
      throw error
    } catch {
      return ["\(problem.text)\n\("\(error)".printableLines())"]
    }
    settings.say("updated \(url.shownPath)")
    return []
  }
}

extension ReplayExpectation {
  /// Replays a recording, records the scenario if needed, and returns the problems.
  ///
  /// The scenario is recorded if the recording is missing, or if it does not replay and may be
  /// updated. Nothing is written under CI.
  ///
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
        \(url.shownPath): the recording is missing, and under CI nothing is written; \
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
      return try await keep(
        recorder.url, as: url, of: test, contents: recording.redaction.summary)
    } catch {
      for message in test.end(failed: true).messages { settings.say(message) }
      throw error
    }
  }

  /// Keeps a new recording if it replays.
  private func keep(
    _ draft: URL, as url: URL, of test: RecordedTest, contents: String
  ) async throws -> [String] {
    if let problem = try await problem(with: draft) {
      _ = test.end(failed: true)
      return [
        "\(url.shownPath): the new recording does not replay, and is not kept:\n\(problem.text)"
      ]
    }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try copy(draft, to: url)
    settings.say(
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
