import FluxCore
import FluxReplay
import FluxSystem

/// An event that threads of the app hand to the thread of an ``AppHost``.
enum LiveEvent: Sendable {
  /// A step has run. Its action is named later, because that takes longer than a step may. Without a model, the host is
  /// behind with the models before.
  case step(Envelope, isRejected: Bool, isTold: Bool, changed: [StoreID], Model?)
  /// Steps were dropped here, because the thread was too slow.
  case dropped(UInt64)
  /// Something happened in the part `live`.
  case happened(LiveNotification)
  /// The last client has left, so no model is needed.
  case released
  /// The host is to end.
  case stopped
}

/// The events on their way to the thread of a host.
///
/// Threads of the app only append. If the host's thread is behind, steps are dropped and counted; all other events
/// are kept, because there is one for each request at most. A thread of the app wakes the host's thread only if that
/// sleeps: after an event it looks again by itself for a while, so a thousand steps in a row wake it once.
final class LiveQueue: @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  /// The number of events at which steps are dropped: about a megabyte.
  static let limit = 8192

  private let lock = Lock()
  private let waker: Waker
  private var events: [LiveEvent] = []
  /// `true` if the next event has to wake the host's thread.
  private var needsWake = true
  private var lastNumber: UInt64 = 0
  private var modelCount = 0
  private var largestModelCount = 64

  init(_ waker: Waker) { self.waker = waker }

  /// The number of the newest step.
  var lastStep: UInt64 {
    get { lock.withLock { lastNumber } }
    set { lock.withLock { lastNumber = newValue } }
  }

  /// The number of models that may wait; before the host has measured one, few.
  var modelLimit: Int {
    get { lock.withLock { largestModelCount } }
    set { lock.withLock { largestModelCount = newValue } }
  }

  /// Appends a step, or counts it as dropped.
  func append(_ step: borrowing CompletedStep, isTold: Bool) {
    lock.lock()
    lastNumber = step.envelope.step
    if events.count < Self.limit {
      let keepsModel = modelCount < largestModelCount
      modelCount += keepsModel ? 1 : 0
      events.append(
        .step(
          step.envelope, isRejected: step.outcome.result == .rejected, isTold: isTold,
          changed: step.changed, keepsModel ? step.model : nil))
    } else if case .dropped(let count) = events[events.count - 1] {
      events[events.count - 1] = .dropped(count + 1)
    } else {
      events.append(.dropped(1))
    }
    // Waiting any longer may cost steps.
    if events.count == Self.limit / 2 { needsWake = true }
    wakeAndUnlock()
  }

  /// Appends an event that is never dropped.
  func append(_ event: LiveEvent) {
    lock.lock()
    events.append(event)
    wakeAndUnlock()
  }

  private func wakeAndUnlock() {
    let wakes = needsWake
    needsWake = false
    lock.unlock()
    if wakes { waker.wake() }
  }

  /// Exchanges the events with an empty array, into whose memory the next ones go.
  func take(_ taken: inout [LiveEvent]) {
    lock.withLock {
      swap(&events, &taken)
      modelCount = 0
    }
  }

  /// Returns `true` if there are no events; the next one then wakes the thread.
  func sleep() -> Bool {
    lock.withLock {
      guard events.isEmpty else { return false }
      needsWake = true
      return true
    }
  }
}

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

/// Watches the steps of a dispatcher for a host; a dispatcher has it only while a client is attached.
struct LiveTap: AttachedMiddleware {
  let queue: LiveQueue
  let models: KeptModels
  let recorder: Recorder
  private let process = ProcessIdentity()

  init(_ queue: LiveQueue, _ models: KeptModels, _ recorder: Recorder) {
    (self.queue, self.models, self.recorder) = (queue, models, recorder)
  }

  var looksAhead: Bool { false }

  func didAttach(_ context: DispatcherContext) {
    queue.lastStep = context.nextStep &- 1
    // The app has its states in any case.
    models.keep(context.model, after: context.nextStep &- 1, changed: [])
  }

  func didDispatch(_ step: CompletedStep) {
    // Before any lock: another thread of the parent may have held it.
    if process.isForked { return }
    queue.append(step, isTold: recorder.writes(step.envelope))
  }

  func didRestore(_ restoration: Restoration) {
    if process.isForked { return }
    queue.append(.happened(.restored(step: restoration.step, next: restoration.nextStep)))
  }
}
