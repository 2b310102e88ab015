import Synchronization

/// Delivers what an observer selects to its callback: each new value once, one at a time and in order.
///
/// An observer is registered on one thread and notified on others. The first call, with the value at
/// registration, must be over before the next one begins; what a step brings meanwhile waits here.
@usableFromInline
final class Mailbox<Value: Equatable & Sendable>: @unchecked Sendable {
  // Sendable: `last` belongs to the turn, `isOpen` is atomic, `waiting` is guarded by `lock`.
  @usableFromInline let last: Exclusive<Value>
  @usableFromInline let callback: @Sendable (Value) -> Void
  private let first: Value
  private let cancellation: Cancellation
  private let lock = Lock()
  private var waiting = Queue<Value>()
  /// Whether the first call is over; from then on only the turn delivers, and needs no lock.
  private let open = Atomic(false)

  @usableFromInline
  init(
    _ first: Value, _ cancellation: Cancellation, _ callback: @escaping @Sendable (Value) -> Void
  ) {
    self.first = first
    last = Exclusive(first)
    self.callback = callback
    self.cancellation = cancellation
  }

  /// Delivers the value that a step has led to, unless it is the one before.
  @inlinable
  func deliverIfNew(_ value: Value) {
    guard value != last.value else { return }
    last.value = value
    if isOpen { callback(value) } else { deliverWhileOpening(value) }
  }

  @usableFromInline var isOpen: Bool { open.load(ordering: .acquiring) }

  @usableFromInline
  func deliverWhileOpening(_ value: Value) {
    let waits = lock.withLock { () -> Bool in
      if !isOpen { waiting.append(value) }
      return !isOpen
    }
    if !waits { callback(value) }
  }

  /// Makes the first call, if it is wanted, and then those that had to wait for it.
  @usableFromInline
  func open(withFirstCall isWanted: Bool) {
    if isWanted { callback(first) }
    while let value = nextWaiting() {
      if !cancellation.isCancelled { callback(value) }
    }
  }

  private func nextWaiting() -> Value? {
    lock.withLock {
      let value = waiting.popFirst()
      if value == nil { open.store(true, ordering: .releasing) }
      return value
    }
  }
}
