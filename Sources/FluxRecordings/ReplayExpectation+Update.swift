import FluxLog
import FluxRecorder
import FluxReplay
import Foundation

extension ReplayExpectation {
  /// Writes a recording anew that replays otherwise, with the states that its actions lead to now.
  ///
  /// - Returns: Nothing, or why it stays as it is.
  /// - Throws: `CancellationError` where the task is cancelled.
  func update(_ url: URL, _ problem: Problem) async throws -> [String] {
    do {
      // Whether this is CI, the settings have said.
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
