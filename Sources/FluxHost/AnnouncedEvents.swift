import FluxReplay
import FluxSystem

/// The events that an app has announced: its newest steps, and the state in which inspectors have brought it.
///
/// A recorder announces a step at once, and writes its line later. If the app crashes, the steps that its log lacks are
/// named.
final class AnnouncedEvents: Sendable {
  /// The number of steps that are kept: as many as wait in the app at most.
  private static let limit = 8192
  /// The bytes of a type that are kept; with the limit for the steps, a few megabytes at most.
  private static let typeByteCount = 256

  private let steps = Monitor<[LiveStep]>([])
  private let presented = Monitor(LivePresentation())

  /// The state in which this inspector, or another one that has announced it, has brought the app.
  var presentation: LivePresentation {
    get { presented.withLock { $0 } }
    set { presented.withLock { $0 = newValue } }
  }

  func take(_ event: LiveNotification) {
    switch event {
    case .steps(let new, _):
      steps.withLock { steps in
        steps += new.map(Self.shortened)
        if steps.count > 2 * Self.limit { steps.removeFirst(steps.count - Self.limit) }
      }
    case .presenting(let step, let ignoresActions):
      presentation = LivePresentation(isPaused: ignoresActions, step: step)
    case .resumed: presentation = LivePresentation()
    case .restored, .ended: break
    }
  }

  /// Returns a step whose type is short enough to be kept.
  private static func shortened(_ step: LiveStep) -> LiveStep {
    guard step.type.utf8.count > typeByteCount else { return step }
    var step = step
    step.type = String(decoding: step.type.utf8.prefix(typeByteCount), as: UTF8.self) + "…"
    return step
  }

  /// Puts the steps of an earlier connection before those of this one.
  func follow(_ earlier: AnnouncedEvents) {
    let old = earlier.steps.withLock { $0 }
    steps.withLock { $0 = old + $0 }
  }

  /// Returns the steps whose numbers are higher than that of a step; all if it is nil.
  func steps(after number: UInt64?) -> [LiveStep] {
    steps.withLock { $0.filter { step in number.map { step.number > $0 } ?? true } }
  }
}
