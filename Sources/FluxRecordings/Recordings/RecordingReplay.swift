import FluxLog
import FluxReplay
import FluxSystem
import Foundation

/// Replays recordings in the app that a test names.
struct RecordingReplay: Sendable {
  private let app: any ReplayApp
  private let options: Verification.Options

  init(in app: any ReplayApp, _ options: Verification.Options, isCI: Bool) {
    self.app = app
    var options = options
    options.isCI = isCI
    self.options = options
  }

  struct Problem {
    var text: String
    /// The way to accept the app's new behaviour, appended to the text; empty if there is none.
    var remedy = ""
    /// `true` if the recording is sound and the app diverges from it.
    var isDivergence = false
  }

  /// Replays a recording, and returns the problem; nil if it replays as recorded.
  func problem(with url: URL) async throws -> Problem? {
    do {
      var report = try await app.replaying {
        let timeline = Timeline(try LogFile.open(url.path))
        return try app.verifyHere(timeline, options: options) { _, _ in try Task.checkCancellation()
        }
      }
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

  private var remedy: String {
    options.isCI
      ? """
      If the change is intended, run the test with FLUX_UPDATE=1 outside of CI, and commit the \
      recording.
      """
      : "If the change is intended, run the test with FLUX_UPDATE=1, and commit the recording."
  }

  /// Writes a diverging recording with the states that its actions lead to now, usually in its place.
  ///
  /// - Throws: The reason why nothing was written.
  func update(_ url: URL, to new: URL) async throws {
    _ = try await app.replaying {
      try RecordingUpdate(of: Timeline(LogFile.open(url.path)), in: app, options: options)
        .write(to: new.path) { _, _ in try Task.checkCancellation() }
    }
  }
}
