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

  /// The same, but after that many milliseconds `body` is called at any rate.
  func waitUntil<Result, Failure: Error>(
    milliseconds: Int, _ isReady: (State) -> Bool,
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var deadline = Self.time(inMilliseconds: milliseconds)
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while unsafe !isReady(state.pointee) {
      guard unsafe pthread_cond_timedwait(condition, mutex, &deadline) == 0 else { break }
    }
    return try unsafe body(&state.pointee)
  }

  private static func time(inMilliseconds milliseconds: Int) -> timespec {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    let nanoseconds = time.tv_nsec + (milliseconds % 1000) * 1_000_000
    time.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }

  /// Wakes all threads that wait.
  func signal() { unsafe pthread_cond_broadcast(condition) }
}
