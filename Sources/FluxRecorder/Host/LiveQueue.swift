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
  /// A request of the part `live` was carried out, whose answer follows the events before it.
  case answered(@Sendable () -> Void)
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
    // A client waits for it.
    if case .answered = event { needsWake = true }
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
