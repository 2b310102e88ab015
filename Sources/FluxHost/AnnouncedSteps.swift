import FluxReplay
import Synchronization

/// The newest steps that an app has announced, to name those that its log lacks if the app crashes.
///
/// A recorder announces a step at once, and writes its line later.
final class AnnouncedSteps: Sendable {
  /// The number of steps that are kept: as many as wait in the app at most.
  private static let limit = 8192

  private let steps = Mutex<[LiveStep]>([])

  /// Takes an event of the app.
  func take(_ event: LiveNotification) {
    guard case .steps(let new, _) = event else { return }
    steps.withLock { steps in
      steps += new
      if steps.count > 2 * Self.limit { steps.removeFirst(steps.count - Self.limit) }
    }
  }

  /// Puts the steps of an earlier connection before those of this one.
  func follow(_ earlier: AnnouncedSteps) {
    let old = earlier.steps.withLock { $0 }
    steps.withLock { $0 = old + $0 }
  }

  /// Returns the steps whose numbers are higher than that of a step; all if it is nil.
  func steps(after number: UInt64?) -> [LiveStep] {
    steps.withLock { $0.filter { step in number.map { step.number > $0 } ?? true } }
  }
}
