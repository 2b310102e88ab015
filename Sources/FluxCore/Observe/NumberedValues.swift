/// Values that any thread adds, and removes by the numbers that it got for them.
final class NumberedValues<Value: Sendable>: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private let lock = Lock()
  private var values: [UInt64: Value] = [:]
  private var count: UInt64 = 0

  /// The values with their numbers, in the order in which they were added.
  var entries: [(number: UInt64, value: Value)] {
    lock.withLock { values.sorted { $0.key < $1.key } }.map { ($0.key, $0.value) }
  }

  var all: [Value] { entries.map(\.value) }

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
