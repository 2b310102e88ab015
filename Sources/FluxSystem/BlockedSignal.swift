/// Calls `body` while a signal is blocked on this thread, and discards the signal if `body` raised it.
///
/// For a signal that Linux sends to the thread that writes and that would end the app. The write fails with an error as
/// well, so the signal is not needed. XNU sends such signals to the process, where this does not help.
package func withBlockedSignal<Result>(_ number: Int32, _ body: () -> Result) -> Result {
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
