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
final class Monitor<State: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private let state: UnsafeMutablePointer<State>

  init(_ initial: consuming sending State) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: initial)
    unsafe pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      unsafe pthread_cond_init(condition, nil)
    #else
      // A wait must not become longer because somebody sets the clock.
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(condition, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    #endif
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

  /// Begins an access that ``unlock()`` ends, for what no closure can do: to hand on a value without a copy.
  ///
  /// - Returns: The state, which may be touched until then.
  @inline(__always)
  func lock() -> UnsafeMutablePointer<State> {
    unsafe pthread_mutex_lock(mutex)
    return unsafe state
  }

  /// Ends an access that ``lock()`` began.
  @inline(__always)
  func unlock() { unsafe pthread_mutex_unlock(mutex) }

  /// The same, once `isReady` holds: the thread sleeps between two signals.
  func waitUntil<Result, Failure: Error>(
    _ isReady: (borrowing State) -> Bool, _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while unsafe !isReady(state.pointee) { unsafe pthread_cond_wait(condition, mutex) }
    return try unsafe body(&state.pointee)
  }

  /// The same, but after that many milliseconds `body` is called at any rate.
  func waitUntil<Result, Failure: Error>(
    milliseconds: Int, _ isReady: (borrowing State) -> Bool,
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let deadline = Self.now + UInt64(milliseconds) * 1_000_000
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while unsafe !isReady(state.pointee), wait(until: deadline) {}
    return try unsafe body(&state.pointee)
  }

  /// Nanoseconds of a clock that nobody sets.
  private static var now: UInt64 {
    var time = timespec()
    // The time is a local that outlives the call, which cannot fail for a clock that there is.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Sleeps until there is a signal, or until that moment; returns whether it has not come yet.
  private func wait(until deadline: UInt64) -> Bool {
    #if canImport(Darwin)
      let now = Self.now
      guard now < deadline else { return false }
      var rest = timespec(nanoseconds: deadline - now)
      return unsafe pthread_cond_timedwait_relative_np(condition, mutex, &rest) == 0
    #else
      var moment = timespec(nanoseconds: deadline)
      return unsafe pthread_cond_timedwait(condition, mutex, &moment) == 0
    #endif
  }

  /// Wakes all threads that wait.
  func signal() { unsafe pthread_cond_broadcast(condition) }
}

extension timespec {
  fileprivate init(nanoseconds: UInt64) {
    self.init(
      tv_sec: time_t(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
