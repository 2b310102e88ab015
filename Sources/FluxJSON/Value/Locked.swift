import Foundation

/// A value that threads share behind a lock.
///
/// It wraps Foundation's lock instead of the standard library's `Mutex`, because on Linux the
/// Thread Sanitizer reports races for data that a `Mutex` guards.
///
/// `@unchecked Sendable`: the value is reached only while the lock is held.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
