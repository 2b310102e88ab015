/// State that threads share, with a lock and a condition to wait on.
///
/// Uses the C library's primitives: `Mutex` has no condition, and on Linux the Thread Sanitizer does not see that a thread has
/// waited for one, and reports false races on what it guards.
///
/// `@unchecked Sendable`: `state` is only touched between lock and unlock, and the two primitives
/// are made for use from any thread. `@safe`: all three live at their address as long as the monitor.
@safe
package final class Monitor<State: ~Copyable>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>
  @usableFromInline let state: UnsafeMutablePointer<State>

  package init(_ initial: consuming sending State) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: initial)
    unsafe pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      unsafe pthread_cond_init(condition, nil)
    #else
      // Setting the wall clock must not lengthen a wait.
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

  /// Calls `body` while no other thread accesses the state.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let state = unsafe lock()
    defer { unlock() }
    return try unsafe body(&state.pointee)
  }

  /// Begins an access that ``unlock()`` ends; unlike a closure, it can return a value without copying it.
  ///
  /// - Returns: The state, which the caller may use until then.
  @inlinable
  package func lock() -> UnsafeMutablePointer<State> {
    unsafe pthread_mutex_lock(mutex)
    return unsafe state
  }

  /// Ends an access that ``lock()`` began.
  @inlinable
  package func unlock() { unsafe pthread_mutex_unlock(mutex) }

  /// Calls `body` as soon as `isReady` returns `true`, and in any case after that many milliseconds.
  ///
  /// Sleeps from one signal to the next; without a limit, as long as it takes.
  @inlinable
  package func waitUntil<Result, Failure: Error>(
    milliseconds: Int? = nil, _ isReady: (borrowing State) -> Bool,
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let deadline = milliseconds.map { Self.now + UInt64($0) * 1_000_000 }
    let state = unsafe lock()
    defer { unlock() }
    while unsafe !isReady(state.pointee), wait(until: deadline) {}
    return try unsafe body(&state.pointee)
  }

  @usableFromInline static var now: UInt64 {
    var time = timespec()
    // The time is a local that outlives the call, which cannot fail for an existing clock.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Sleeps until a signal or until `deadline`; returns `false` once the deadline has passed.
  @usableFromInline func wait(until deadline: UInt64?) -> Bool {
    guard let deadline else {
      unsafe pthread_cond_wait(condition, mutex)
      return true
    }
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

  @inlinable
  package func signal() { unsafe pthread_cond_broadcast(condition) }
}

extension timespec {
  fileprivate init(nanoseconds: UInt64) {
    self.init(
      tv_sec: time_t(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
