import Synchronization

/// Delivers values to a callback one at a time and in order, whatever threads they come from.
///
/// An observer is registered on one thread and notified on others. The first call, with the state at
/// registration, must be over before the next one begins; what a step brings meanwhile waits here.
@usableFromInline
class Mailbox<Value: Sendable>: @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`, or atomic.
  private let callback: @Sendable (Value) -> Void
  private let cancellation: Cancellation
  private let lock = Lock()
  private var waiting = Queue<Value>()
  /// Whether the first call is over; from then on only the turn delivers, and needs no lock.
  private let isOpen: Atomic<Bool>

  @usableFromInline
  init(_ cancellation: Cancellation, _ callback: @escaping @Sendable (Value) -> Void) {
    self.callback = callback
    self.cancellation = cancellation
    isOpen = Atomic(false)
  }

  @usableFromInline
  func deliver(_ value: Value) {
    if isOpen.load(ordering: .acquiring) { return callback(value) }
    lock.lock()
    if isOpen.load(ordering: .relaxed) {
      lock.unlock()
      return callback(value)
    }
    waiting.append(value)
    lock.unlock()
  }

  /// Makes the first call, if there is one, and then those that had to wait for it.
  @usableFromInline
  func open(with first: Value?) {
    if let first { callback(first) }
    while let value = nextWaiting() {
      if !cancellation.isCancelled { callback(value) }
    }
  }

  private func nextWaiting() -> Value? {
    lock.withLock {
      let value = waiting.popFirst()
      if value == nil { isOpen.store(true, ordering: .releasing) }
      return value
    }
  }
}
