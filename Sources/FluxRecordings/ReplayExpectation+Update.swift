import FluxLog
import FluxRecorder
import FluxReplay
import Foundation

extension ReplayExpectation {
  /// Updates a diverging recording with the states that its actions lead to now.
  ///
  /// - Returns: The reasons why the recording stays unchanged; empty if it was updated.
  /// - Throws: `CancellationError` if the task is cancelled.
  func update(_ url: URL, _ problem: Problem) async throws -> [String] {
    do {
      // The environment is empty because the settings have already checked for CI.
      let update = RecordingUpdate(
        of: Timeline(try open(url)), in: replayer.app, options: options, environment: [:])
      try update.write(to: url.path) { _, _ in try Task.checkCancellation() }
    } catch let error as CancellationError {
      throw error
    } catch {
      return ["\(problem.text)\n\(error)"]
    }
    settings.say("updated \(url.path)")
    return []
  }
}
