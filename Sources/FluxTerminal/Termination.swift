internal import CTerminal
import FluxSystem
import Synchronization

/// The end of the process by SIGTERM or SIGHUP.
package enum Termination {
  private static let isWatched = Atomic(false)

  /// Runs `body` on another thread when SIGTERM or SIGHUP arrives, before the signal takes its usual effect.
  ///
  /// Only the first call of a process counts. A signal that is ignored stays ignored. If the system has no descriptor or
  /// thread left, the process ends without `body`.
  package static func beforeBySignal(_ body: @escaping @Sendable () -> Void) {
    guard !isWatched.exchange(true, ordering: .relaxed) else { return }
    do throws(SystemError) {
      try startThread {
        // The signals are taken only once somebody waits for them.
        guard cle_watch_endings() else { return }
        while true {
          let signal = cle_next_ending()
          guard signal > 0 else { return }
          body()
          cle_end_by(signal)
        }
      }
    } catch {
      // The signals then end the process as usual.
    }
  }
}
