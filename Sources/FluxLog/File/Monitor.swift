#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// State that several threads share, and on whose changes they can wait.
///
/// A lock and a condition of the C library, because `Mutex` has no condition to wait on.
///
/// `@unchecked Sendable`: `state` is only touched between lock and unlock, and the two primitives
/// are made for use from any thread. `@safe`: all three live at their address as long as the monitor.
@safe
final class Monitor<State>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private let state: UnsafeMutablePointer<State>

  init(_ initial: sending State) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: initial)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Calls `body` while no other thread is in such a call.
  @inline(__always)
  func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&state.pointee)
  }

  /// The same, once `isReady` holds: the thread sleeps between two signals.
  func waitUntil<Result, Failure: Error>(
    _ isReady: (State) -> Bool, _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while unsafe !isReady(state.pointee) { unsafe pthread_cond_wait(condition, mutex) }
    return try unsafe body(&state.pointee)
  }

  /// Waits for a signal, at most that long; to be called by the body of `withLock` alone.
  func pause(milliseconds: Int) {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    let nanoseconds = now.tv_nsec + (milliseconds % 1000) * 1_000_000
    var deadline = timespec(
      tv_sec: now.tv_sec + milliseconds / 1000 + nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000)
    unsafe pthread_cond_timedwait(condition, mutex, &deadline)
  }

  /// Wakes all threads that wait.
  func signal() { unsafe pthread_cond_broadcast(condition) }
}
