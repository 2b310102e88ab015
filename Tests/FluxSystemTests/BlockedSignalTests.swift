import FluxSystem
import Foundation
import Testing

/// Each test raises a signal that would end the test program.
@Suite struct BlockedSignalTests {
  /// `true` if a signal is blocked on this thread.
  private func isBlocked(_ signal: Int32) -> Bool {
    var mask = sigset_t()
    // Without a new mask, the call only reads the current one into the local.
    unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    return unsafe sigismember(&mask, signal) == 1
  }

  /// `true` if a signal waits until it is no longer blocked.
  private func isPending(_ signal: Int32) -> Bool {
    var pending = sigset_t()
    // The call fills the local.
    unsafe sigpending(&pending)
    return unsafe sigismember(&pending, signal) == 1
  }

  /// Runs a body on a thread that blocks no signal; the threads of tests block most of them.
  private func onOpenThread(_ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    group.enter()
    Thread {
      var none = sigset_t()
      // Both calls use only the local.
      unsafe sigemptyset(&none)
      unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
      body()
      group.leave()
    }.start()
    group.wait()
  }

  @Test("a signal that the body raises is discarded", arguments: [SIGPIPE, SIGXFSZ, SIGUSR1])
  func discarded(_ signal: Int32) {
    onOpenThread {
      let isHeld = withBlockedSignal(signal) {
        raise(signal)
        return isBlocked(signal) && isPending(signal)
      }
      #expect(isHeld)
      #expect(!isBlocked(signal) && !isPending(signal))
    }
  }

  @Test("the inner one of two calls leaves the signal to the outer one")
  func nested() {
    onOpenThread {
      withBlockedSignal(SIGUSR2) {
        withBlockedSignal(SIGUSR2) { _ = raise(SIGUSR2) }
        #expect(isBlocked(SIGUSR2) && isPending(SIGUSR2))
      }
      #expect(!isBlocked(SIGUSR2) && !isPending(SIGUSR2))
    }
  }
}
