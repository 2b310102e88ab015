import Synchronization

/// Delivers what an observer selects to its callback: each new value once, one at a time and in order.
///
/// An observer is registered on one thread and notified on others. The first call, with the value at
/// registration, must be over before the next one begins; what steps bring meanwhile waits here.
@usableFromInline
final class Mailbox<Value: Equatable & Sendable>: @unchecked Sendable {
  // Sendable: `last` belongs to whoever opens the mailbox, and from then on to the turn; `isOpen` is atomic,
  // `waiting` is guarded by `lock`.
  @usableFromInline let last = Exclusive<Value?>(nil)
  @usableFromInline let callback: @Sendable (Value) -> Void
  private let cancellation: Cancellation
  private let lock = Lock()
  private var waiting = Queue<Value>()
  private let open = Atomic(false)

  @usableFromInline
  init(_ cancellation: Cancellation, _ callback: @escaping @Sendable (Value) -> Void) {
    self.callback = callback
    self.cancellation = cancellation
  }

  /// Delivers the value that a step has led to, unless it is the one before.
  @inlinable
  func deliverIfNew(_ value: Value) {
    guard isOpen else { return deliverWhileOpening(value) }
    guard value != last.value else { return }
    // The old value is let go outside the access: it may have a deinitialiser that dispatches.
    let replaced = last.exchange(value)
    withExtendedLifetime(replaced) {}
    callback(value)
  }

  @usableFromInline var isOpen: Bool { open.load(ordering: .acquiring) }

  @usableFromInline
  func deliverWhileOpening(_ value: Value) {
    let waits = lock.withLock { () -> Bool in
      if !isOpen { waiting.append(value) }
      return !isOpen
    }
    if !waits { deliverIfNew(value) }
  }

  /// Makes the first call, if it is wanted, and then those that had to wait for it.
  @usableFromInline
  func open(with first: Value, isWanted: Bool) {
    if isWanted { callback(first) }
    var latest = first
    while let value = nextWaiting(orElseOpenAfter: latest) {
      guard value != latest else { continue }
      latest = value
      if !cancellation.isCancelled { callback(value) }
    }
  }

  private func nextWaiting(orElseOpenAfter latest: Value) -> Value? {
    lock.withLock {
      if let value = waiting.popFirst() { return value }
      last.value = latest
      open.store(true, ordering: .releasing)
      return nil
    }
  }
}
