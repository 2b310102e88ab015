#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock and the conditions that threads wait for under it.
///
/// It is the platform's own and not the standard library's `Mutex` for two reasons: it has
/// conditions, and the Thread Sanitizer understands it on Linux, where it reports races on data that a
/// `Mutex` guards.
@safe
package final class Lock: @unchecked Sendable {
  // Sendable: the pointer is constant, and what it points to is only touched by the platform's
  // functions, which are made for many threads.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let code = unsafe pthread_mutex_init(mutex, nil)
    precondition(code == 0, "the system has no room for another lock (error \(code))")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  @inline(__always)
  package func lock() {
    unsafe pthread_mutex_lock(mutex)
  }

  @inline(__always)
  package func unlock() {
    unsafe pthread_mutex_unlock(mutex)
  }

  @inline(__always)
  package func withLock<Result: ~Copyable>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Something a thread can wait for while it holds the lock.
  @safe
  final class Condition {
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
      unsafe condition = .allocate(capacity: 1)
      unsafe condition.initialize(to: pthread_cond_t())
      let code = unsafe pthread_cond_init(condition, nil)
      precondition(code == 0, "the system has no room for another condition (error \(code))")
    }

    deinit {
      unsafe pthread_cond_destroy(condition)
      unsafe condition.deallocate()
    }

    /// Gives the lock up until another thread signals, and takes it again; it may also wake for nothing.
    func wait(_ lock: Lock) {
      unsafe pthread_cond_wait(condition, lock.mutex)
    }

    func signal() {
      unsafe pthread_cond_signal(condition)
    }
  }
}
