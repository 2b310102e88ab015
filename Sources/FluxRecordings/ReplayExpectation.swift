import FluxLog
package import FluxRecorder
package import FluxReplay
package import Foundation

/// The expectation that recordings replay as recorded.
package struct ReplayExpectation: Sendable {
  let replayer: Replayer
  let options: Verification.Options
  let settings: TestSettings

  /// Creates an expectation for an app.
  package init(
    _ replayer: Replayer, options: Verification.Options, settings: TestSettings = .current
  ) {
    self.replayer = replayer
    self.options = options
    self.settings = settings
  }

  /// Replays the recordings of a folder, and returns a message for each problem.
  ///
  /// - Parameters:
  ///   - folder: The folder of the recordings.
  ///   - listing: The exact list of recordings to expect; nil to accept all recordings in the
  ///     folder.
  ///   - updates: `true` to update diverging recordings, which never happens under CI.
  /// - Returns: The problems with recordings and with the folder; empty if the expectation is met.
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

  /// Returns `true` if recordings may be written.
  func mayWrite(_ updates: Bool) -> Bool { !settings.isCI && (updates || settings.updates) }

  /// A problem with a recording.
  struct Problem {
    /// The description of the problem.
    var text: String
    /// The way to accept the app's new behavior, appended to the text; empty if there is none.
    var remedy = ""
    /// `true` if the recording is sound and the app diverges from it.
    var isDivergence = false
  }

  /// Replays a recording, and returns the problem; nil if it replays as recorded.
  func problem(with url: URL) async throws -> Problem? {
    do {
      var report = try await replayer.verify(try open(url), options: options)
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
      return Problem(text: "\(url.path): the recording cannot be replayed: \(error)")
    }
  }

  /// Opens a recording without writing an index next to it.
  func open(_ url: URL) throws(LogError) -> LogFile {
    var options = LogFile.Options()
    options.usesSidecar = false
    return try LogFile.open(url.path, options: options)
  }

  private var remedy: String {
    settings.isCI
      ? """
      If the change is intended, run the test with FLUX_UPDATE=1 outside of CI, and commit the \
      recording.
      """
      : "If the change is intended, run the test with FLUX_UPDATE=1, and commit the recording."
  }
}
