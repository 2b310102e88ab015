package import FluxInspector

/// The progress of a command in words, with the time that is left: `searching 42%, about 8 s left`.
package struct ProgressEstimate {
  /// The first report of the current activity.
  private var first: (progress: FluxInspector.Progress, time: ContinuousClock.Instant)?

  /// An earlier guess is worth nothing.
  private static let patience = Duration.seconds(1)

  package init() {}

  /// Takes a report; returns it in words.
  package mutating func text(
    _ progress: FluxInspector.Progress, at time: ContinuousClock.Instant
  ) -> String {
    guard progress.total > 0 else { return progress.activity }
    let text = "\(progress.activity) \(progress.done * 100 / progress.total)%"
    guard let first, first.progress.activity == progress.activity,
      first.progress.total == progress.total, first.progress.done <= progress.done
    else {
      first = (progress, time)
      return text
    }
    let elapsed = time - first.time
    let done = progress.done - first.progress.done
    guard elapsed >= Self.patience, done > 0 else { return text }
    let left = elapsed / .seconds(1) * Double(progress.total - progress.done) / Double(done)
    return "\(text), about \(Self.words(left)) left"
  }

  /// A duration in words, rounded up: `8 s`, `3 min`, `2 h`.
  private static func words(_ seconds: Double) -> String {
    let count = Int(min(seconds, 1e9).rounded(.up))
    if count < 100 { return "\(count) s" }
    return count < 5400 ? "\((count + 59) / 60) min" : "\((count + 3599) / 3600) h"
  }
}
