import FluxCore
import FluxReplay
import FluxSystem

/// An event that threads of the app hand to the thread of a ``LiveHost``.
enum LiveEvent: Sendable {
  /// A step has run. Its action is named later, because that takes longer than a step may. Without a model, the host is
  /// behind with the models before.
  case step(Envelope, isRejected: Bool, isTold: Bool, changed: [StoreID], Model?)
  /// Steps were dropped here, because the thread was too slow.
  case dropped(UInt64)
  /// The app was set to a model.
  case restored(step: UInt64?, next: UInt64)
  /// A command of a client was carried out.
  case answered(LiveHostMachine.Command, Result<LiveHostMachine.Answer, RPCError>)
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
  private var isAsleep = true
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
    wakeAndUnlock()
  }

  /// Appends an event that is never dropped.
  func append(_ event: LiveEvent) {
    lock.lock()
    events.append(event)
    wakeAndUnlock()
  }

  private func wakeAndUnlock() {
    let wasAsleep = isAsleep
    isAsleep = false
    lock.unlock()
    if wasAsleep { waker.wake() }
  }

  /// Removes and returns the events.
  func take() -> [LiveEvent] {
    lock.withLock {
      let taken = events
      (events, modelCount) = ([], 0)
      return taken
    }
  }

  /// Returns `true` if there are no events; the next one then wakes the thread.
  func sleep() -> Bool {
    lock.withLock {
      guard events.isEmpty else { return false }
      isAsleep = true
      return true
    }
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
    queue.append(.restored(step: restoration.step, next: restoration.nextStep))
  }
}
