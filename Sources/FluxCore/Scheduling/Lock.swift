#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A mutual-exclusion lock with condition variables.
///
/// It wraps the platform's own lock instead of the standard library's `Mutex` for two reasons: it has
/// condition variables, and the Thread Sanitizer understands it on Linux, where it reports false races on
/// data that a `Mutex` guards.
@safe
package final class Lock: @unchecked Sendable {
  // Sendable: the pointer is constant, and only the platform's thread-safe functions use its memory.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let code = unsafe pthread_mutex_init(mutex, nil)
    precondition(code == 0, "The system cannot create another lock (error \(code))")
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

  @safe
  package final class Condition {
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
      unsafe condition = .allocate(capacity: 1)
      unsafe condition.initialize(to: pthread_cond_t())
      let code = unsafe pthread_cond_init(condition, nil)
      precondition(code == 0, "The system cannot create another condition (error \(code))")
    }

    deinit {
      unsafe pthread_cond_destroy(condition)
      unsafe condition.deallocate()
    }

    /// Releases the lock until another thread signals, then takes it again; wake-ups can be spurious.
    package func wait(_ lock: Lock) {
      unsafe pthread_cond_wait(condition, lock.mutex)
    }

    package func signal() {
      unsafe pthread_cond_signal(condition)
    }
  }
}

/// Identifies the current thread, to tell a call from inside a turn from one that must wait.
///
/// It is the address of the platform's record of the thread, so it is never 0 or odd.
@inline(__always)
func currentThreadIdentity() -> UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    unsafe UInt(bitPattern: pthread_self())
  #endif
}
