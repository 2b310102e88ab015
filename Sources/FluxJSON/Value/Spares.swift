import Foundation

/// Up to four values that are expensive to make, kept for reuse by any thread.
///
/// It has Foundation's lock instead of the standard library's `Mutex`, because on Linux the Thread Sanitizer reports
/// races for data that a `Mutex` guards.
///
/// `@unchecked Sendable`: the values are reached only while the lock is held, and nothing else refers to a kept value. The
/// lock is also why exclusivity need not be checked, which costs more than keeping a value.
final class Spares<Value>: @unchecked Sendable {
  private let lock = NSLock()
  @exclusivity(unchecked) private var values: [Value] = []

  /// Takes the newest value that fits.
  func take(where isFit: (Value) -> Bool = { _ in true }) -> Value? {
    lock.lock()
    defer { lock.unlock() }
    return unsafe values.lastIndex(where: isFit).map { unsafe values.remove(at: $0) }
  }

  /// Keeps a value; returns the oldest one if there are too many, which is better released without the lock.
  func give(_ value: Value) -> Value? {
    lock.lock()
    defer { lock.unlock() }
    unsafe values.append(value)
    return unsafe values.count > 4 ? values.removeFirst() : nil
  }
}
