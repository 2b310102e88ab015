/// The closures to call when a dispatcher is released.
final class TerminationHandlers: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private let lock = Lock()
  private var handlers: [UInt64: @Sendable () -> Void] = [:]
  private var count: UInt64 = 0

  /// Adds a handler and returns the number that removes it.
  func add(_ handler: @escaping @Sendable () -> Void) -> UInt64 {
    lock.withLock {
      count += 1
      handlers[count] = handler
      return count
    }
  }

  func remove(_ number: UInt64) {
    let removed = lock.withLock { handlers.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }

  func run() {
    let handlers = lock.withLock { () -> [@Sendable () -> Void] in
      defer { self.handlers = [:] }
      return Array(self.handlers.values)
    }
    for handler in handlers { handler() }
  }
}
