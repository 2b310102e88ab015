import FluxLog
package import FluxRecorder
package import FluxReplay
package import Foundation

/// The claim that recordings replay as they were recorded.
package struct ReplayExpectation: Sendable {
  let replayer: Replayer
  let options: Verification.Options
  let settings: TestSettings

  /// Makes a claim about an app.
  package init(
    _ replayer: Replayer, options: Verification.Options, settings: TestSettings = .current
  ) {
    self.replayer = replayer
    self.options = options
    self.settings = settings
  }

  /// What speaks against the claim, a text for each recording and each failing of the folder.
  ///
  /// - Parameters:
  ///   - folder: The folder of the recordings.
  ///   - listing: The recordings that have to be there, and no others; nil for whatever is there.
  ///   - updates: Whether those that replay otherwise are written anew, which never happens under CI.
  /// - Returns: The problems; none where the claim holds.
  /// - Throws: `CancellationError` where the task is cancelled.
  package func problems(
    in folder: URL, listing: [String]?, updates: Bool
  ) async throws -> [String] {
    let contents = RecordingFolder(url: folder, listing: listing).contents(isCI: settings.isCI)
    var problems = contents.problems
    for url in contents.logs {
      guard let problem = try await problem(with: url) else { continue }
      guard mayWrite(updates), problem.isDivergence else {
        problems.append(problem.text)
        continue
      }
      problems += try await update(url, problem)
    }
    return problems
  }

  /// Whether recordings may be written.
  func mayWrite(_ updates: Bool) -> Bool { !settings.isCI && (updates || settings.updates) }

  /// What is wrong with a recording.
  struct Problem {
    /// All that there is to say.
    var text: String
    /// Whether all that is wrong is that the app behaves otherwise, and the recording can be used.
    var isDivergence = false
  }

  /// Replays a recording; nil where it does as recorded.
  func problem(with url: URL) async throws -> Problem? {
    do {
      let report = try await replayer.verify(try open(url), options: options)
      switch report.verdict {
      case .passed: return nil
      case .empty:
        return Problem(
          text: "\(report.text)No step was compared, which proves nothing; record some actions.")
      case .diverged where report.damage.isEmpty && (report.severity ?? .fine) == .fine:
        return Problem(text: "\(report.text)\n\(cure)", isDivergence: true)
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

  /// Opens a recording without leaving an index beside it.
  func open(_ url: URL) throws(LogError) -> LogFile {
    var options = LogFile.Options()
    options.usesSidecar = false
    return try LogFile.open(url.path, options: options)
  }

  private var cure: String {
    settings.isCI
      ? """
      Where this is meant, run the test with FLUX_UPDATE=1, not under CI, where nothing is written, \
      and commit the recording.
      """
      : "Where this is meant, run the test with FLUX_UPDATE=1, and commit the recording."
  }
}
