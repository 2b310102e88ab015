/// What is to be done when a dispatcher goes away.
final class Endings: @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`.
  private let lock = Lock()
  private var bodies: [UInt64: @Sendable () -> Void] = [:]
  private var count: UInt64 = 0

  /// Adds something; returns the number by which it is removed.
  func add(_ body: @escaping @Sendable () -> Void) -> UInt64 {
    lock.withLock {
      count += 1
      bodies[count] = body
      return count
    }
  }

  func remove(_ number: UInt64) {
    let removed = lock.withLock { bodies.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }

  /// Does everything, once.
  func run() {
    let due = lock.withLock { () -> [@Sendable () -> Void] in
      defer { bodies = [:] }
      return Array(bodies.values)
    }
    for body in due { body() }
  }
}
