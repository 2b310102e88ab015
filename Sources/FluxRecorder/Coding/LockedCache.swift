import FluxCore

/// A dictionary behind a lock that starts over when it has `limit` entries.
///
/// The limit bounds the memory of types that produce any number of keys.
@safe
final class LockedCache<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  private let limit: Int
  private let lock = Lock()
  /// No access is checked for overlaps at run time: keys only hash while the lock is held.
  @exclusivity(unchecked) private var values: [Key: Value] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  subscript(_ key: Key) -> Value? {
    // Not `withLock`, which is not specialized across modules.
    lock.lock()
    defer { lock.unlock() }
    return unsafe values[key]
  }

  func insert(_ value: Value, for key: Key) {
    lock.lock()
    defer { lock.unlock() }
    if unsafe values.count >= limit { unsafe values = [:] }
    unsafe values[key] = value
  }
}
