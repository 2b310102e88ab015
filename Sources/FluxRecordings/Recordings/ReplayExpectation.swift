import FluxLog
package import FluxReplay
import FluxSystem
package import Foundation

/// The expectation that recordings replay as recorded.
package struct ReplayExpectation: Sendable {
  let app: any ReplayApp
  private(set) var options: Verification.Options
  let settings: TestSettings

  package init(
    _ app: any ReplayApp, options: Verification.Options, settings: TestSettings = .current
  ) {
    self.app = app
    self.options = options
    self.options.isCI = settings.isCI
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
      let update = RecordingUpdate(of: Timeline(try open(url)), in: app, options: options)
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
