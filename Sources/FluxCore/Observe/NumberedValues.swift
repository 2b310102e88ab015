/// Values that any thread adds, and removes by the numbers that it got for them.
final class NumberedValues<Value: Sendable>: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private let lock = Lock()
  private var values: [UInt64: Value] = [:]
  private var count: UInt64 = 0

  var all: [Value] { lock.withLock { Array(values.values) } }

  /// Adds a value; returns its number.
  func add(_ value: Value) -> UInt64 {
    lock.withLock {
      count += 1
      values[count] = value
      return count
    }
  }

  func remove(_ number: UInt64) {
    // Released without the lock, because its captures may have deinitializers that dispatch.
    let removed = lock.withLock { values.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }
}
