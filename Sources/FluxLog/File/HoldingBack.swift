#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Calls `body` with a signal held back on this thread.
///
/// For signals that the system sends to the thread that writes, and that would end the app: the write
/// fails with an error all the same, and the signal is taken back here.
package func holdingBack<Result>(_ number: Int32, _ body: () -> Result) -> Result {
  var blocked = sigset_t()
  var previous = sigset_t()
  // All calls read and write only these locals.
  unsafe sigemptyset(&blocked)
  unsafe sigaddset(&blocked, number)
  unsafe pthread_sigmask(SIG_BLOCK, &blocked, &previous)
  defer {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    if unsafe sigismember(&pending, number) == 1, unsafe sigismember(&previous, number) == 0 {
      var signal: Int32 = 0
      unsafe sigwait(&blocked, &signal)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
  return body()
}
