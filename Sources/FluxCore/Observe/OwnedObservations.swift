import Dispatch

struct OwnedObservation: Hashable, Sendable {
  let owner: ObjectIdentifier
  let slot: Int
}

/// The observations that have an owner: at most one for each owner and store.
final class OwnedObservations: @unchecked Sendable {
  // Sendable: `lock` guards the variable.
  private let lock = Lock()
  private var entries: [OwnedObservation: Entry] = [:]

  private struct Entry {
    /// Stops deliveries that are on their way to the main actor.
    let cancellation: Cancellation
    let receipt: Receipt
  }

  func begin(_ key: OwnedObservation, _ cancellation: Cancellation, _ receipt: Receipt) {
    let entry = Entry(cancellation: cancellation, receipt: receipt)
    end(lock.withLock { entries.updateValue(entry, forKey: key) })
  }

  /// Ends an observation; if `cancellation` is given, only if no other observation has replaced it.
  func end(_ key: OwnedObservation, if cancellation: Cancellation? = nil) {
    let ended = lock.withLock { () -> Entry? in
      if let cancellation, entries[key]?.cancellation !== cancellation { return nil }
      return entries.removeValue(forKey: key)
    }
    end(ended)
  }

  // Called without the lock, because ending an observation takes other locks.
  private func end(_ entry: Entry?) {
    entry?.cancellation.cancel()
    entry?.receipt.cancel()
  }
}

final class MainActorDelivery<Value: Sendable>: @unchecked Sendable {
  // Sendable: `lock` guards the variable.
  private let lock = Lock()
  private var waiting = Queue<Value>()
  private let cancellation: Cancellation
  private let callback: @MainActor (Value) -> Void
  @MainActor private var isDelivering = false

  init(_ cancellation: Cancellation, _ callback: @escaping @MainActor (Value) -> Void) {
    self.cancellation = cancellation
    self.callback = callback
  }

  /// Adds a value for ``deliver()``.
  func append(_ value: Value) {
    lock.withLock { waiting.append(value) }
  }

  func deliver() {
    if MainQueue.isCurrent {
      MainActor.assumeIsolated { deliverWaiting() }
    } else {
      Task { @MainActor in deliverWaiting() }
    }
  }

  @MainActor
  private func deliverWaiting() {
    // A callback may dispatch and reenter this method; new values wait until the callback returns.
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while !cancellation.isCancelled, let value = lock.withLock({ waiting.popFirst() }) {
      callback(value)
    }
  }
}

/// Identifies the queue of the main actor, which on Linux is not bound to the main thread.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
