import Synchronization

/// Delivers an observer's selected values to its callback: each new value once, one at a time and in order.
///
/// Registration happens on one thread, and steps run on others. The first call, with the value at
/// registration, must return before the next one begins. The values of steps in between wait here.
@usableFromInline
final class Mailbox<Value: Equatable & Sendable>: @unchecked Sendable {
  // Sendable: `last` belongs to the registering thread until the mailbox opens, and then to the turn. `open`
  // is atomic, and `lock` guards `waiting`.
  @usableFromInline let last = TurnLocal<Value?>(nil)
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

  /// Delivers the value of a step if it differs from the last one.
  @inlinable
  func deliverIfNew(_ value: Value) {
    guard isOpen else { return deliverWhileOpening(value) }
    guard value != last.value else { return }
    // Releases the old value after the access, because a deinitializer may dispatch.
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

  /// Makes the first call if it is wanted, then delivers the values that waited.
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
