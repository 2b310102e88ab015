import FluxCore
import FluxReplay

/// Tells the clients of a host of the events in the app, and keeps the models; for the thread of the host.
final class LiveFeed: @unchecked Sendable {
  // Sendable: only the thread of the host uses it.

  /// The number of steps in a notification at most.
  private static let groupLimit = 500
  /// The milliseconds between two looks for events while there are some: a frame of a screen.
  private static let pulse: Int32 = 16
  /// The bytes of models that may wait to be kept.
  private static let waitingByteCount = 32 << 20

  private let queue: LiveQueue
  private let models: KeptModels
  private let presentation: AppPresentation
  private var presented = AppPresentation.Values()
  private var isStopped = false
  /// The events of a turn; the memory is kept for the next ones.
  private var events: [LiveEvent] = []
  /// The time of the newest events.
  private var quietSince: ContinuousClock.Instant
  private let now: () -> ContinuousClock.Instant

  init(
    _ queue: LiveQueue, _ models: KeptModels, _ presentation: AppPresentation,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    (self.queue, self.models, self.presentation, self.now) = (queue, models, presentation, now)
    quietSince = now()
  }

  /// Handles the events so far.
  ///
  /// - Returns: The milliseconds to wait for more of them, -1 for no limit; nil if the host is to end.
  @Sendable func turn(_ clients: [AppClient]) -> Int32? {
    queue.take(&events)
    tell(events, to: clients)
    let wasQuiet = events.isEmpty
    events.removeAll(keepingCapacity: true)
    presented.clients = clients.compactMap(\.name)
    presentation.update(isStopped ? AppPresentation.Values() : presented)
    if isStopped { return nil }
    // More events may follow soon, and a dispatch that wakes a thread takes several times as long. Answers to clients end
    // the wait, too.
    let now = now()
    if !wasQuiet { quietSince = now }
    return now - quietSince >= .milliseconds(Self.pulse) && queue.sleep() ? -1 : Self.pulse
  }

  private func tell(_ events: [LiveEvent], to clients: [AppClient]) {
    let isWatched = clients.contains { $0.watches }
    var steps: [LiveStep] = []
    var dropped: UInt64 = 0
    func tell(_ notification: LiveNotification) {
      for client in clients { client.tell(notification) }
    }
    func tellSteps() {
      guard !steps.isEmpty || dropped > 0 else { return }
      tell(.steps(steps, dropped: dropped))
      (steps, dropped) = ([], 0)
    }
    for event in events {
      switch event {
      case .step(let envelope, let isRejected, let isTold, let changed, let model):
        if let model {
          models.keep(model, after: envelope.step, changed: changed)
          queue.modelLimit = modelLimit
        }
        guard isTold, isWatched else { continue }
        steps.append(
          LiveStep(number: envelope.step, type: envelope.name, isRejected: isRejected))
        if steps.count == Self.groupLimit { tellSteps() }
      case .dropped(let count):
        // A notification tells of dropped steps before its own.
        tellSteps()
        dropped += count
      case .happened(let notification):
        tellSteps()
        tell(notification)
        present(notification)
      case .answered(let send):
        tellSteps()
        send()
      case .released:
        // Another client may have come meanwhile.
        if !clients.contains(where: \.isGreeted) { models.removeAll() }
      case .stopped: isStopped = true
      }
    }
    tellSteps()
  }

  /// Notes what the app's views show from now on.
  private func present(_ notification: LiveNotification) {
    switch notification {
    case .presenting(let step, let ignoresActions):
      (presented.isPresenting, presented.step) = (true, step)
      presented.ignoresUser = ignoresActions
    case .resumed:
      (presented.isPresenting, presented.step, presented.ignoresUser) = (false, nil, false)
    case .steps, .restored, .ended: break
    }
  }

  /// The number of models that may wait to be kept, by the sizes so far.
  var modelLimit: Int {
    max(16, min(LiveQueue.limit, Self.waitingByteCount / max(1, models.largestByteCount)))
  }
}
