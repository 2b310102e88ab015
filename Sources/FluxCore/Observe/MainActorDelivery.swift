import Dispatch

/// Delivers values to a callback on the main actor, in order; at once if it is called there.
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

  func deliver(_ value: Value) {
    append(value)
    deliver()
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
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
