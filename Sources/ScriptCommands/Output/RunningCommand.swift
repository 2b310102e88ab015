package import FluxInspector
import FluxTerminal
import Foundation
import Synchronization
package import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The running command: detects Ctrl-C since it began, and shows its progress.
///
/// After half a second the progress appears on a line of standard error. The line disappears with the command.
package final class RunningCommand: Sendable {
  private struct State {
    var interruption = Interruption()
    var began = ContinuousClock.now
    var drawn: ContinuousClock.Instant?
    /// The progress that was last reported.
    var progress: String?
    var isHidden = false
    var failure: Errno?
  }

  private static let patience = Duration.milliseconds(500)
  private static let pace = Duration.milliseconds(100)

  private let state: Mutex<State>
  private let isShown: Bool

  /// Takes Ctrl-C over, and shows progress where standard error is a terminal that can rewrite a line.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    Interruption.watch()
    state = Mutex(State())
    isShown = isatty(2) == 1 && TerminalKind(environment: environment) == .full
  }

  /// `true` after Ctrl-C.
  package var isInterrupted: Bool { state.withLock { $0.interruption.isRequested } }

  /// The same, for whoever waits for an app: where it says nothing for long, that it is waited for is shown.
  package var isInterruptedWaiting: Bool {
    show(state.withLock { $0.progress } ?? "waiting for the app")
    return isInterrupted
  }

  /// A command begins.
  package func begin() {
    state.withLock { $0 = State() }
  }

  /// It has something to say, or is over: the line goes.
  package func clear() {
    let wasDrawn = state.withLock { state in
      defer { state.drawn = nil }
      return state.drawn != nil
    }
    if wasDrawn { draw("") }
  }

  /// Another program has the screen from now on: the line goes, and does not come back.
  package func hide() {
    clear()
    state.withLock { $0.isHidden = true }
  }

  /// Tells how far it is.
  package func show(_ progress: FluxInspector.Progress) {
    let share = progress.total > 0 ? " \(progress.done * 100 / progress.total)%" : ""
    let text = progress.activity + share
    state.withLock { $0.progress = text }
    show(text)
  }

  private func show(_ progress: String) {
    guard isShown else { return }
    let isDue = state.withLock { state in
      let now = ContinuousClock.now
      guard !state.isHidden, now - state.began >= Self.patience,
        now - (state.drawn ?? state.began) >= Self.pace
      else { return false }
      state.drawn = now
      return true
    }
    guard isDue else { return }
    draw("\(progress) (Ctrl-C stops)")
  }

  /// Waits, and looks now and then whether it is to stop.
  package func pause(_ seconds: Double) {
    let end = ContinuousClock.now + .seconds(max(0, seconds))
    while ContinuousClock.now < end, !isInterrupted {
      let rest = min(end - .now, .milliseconds(20))
      usleep(UInt32(max(0, rest / .microseconds(1))))
    }
  }

  /// Keeps the error of a write, for ``rethrow()``.
  package func fail(_ error: Errno) {
    state.withLock { $0.failure = error }
  }

  /// Throws what ``fail(_:)`` was told.
  package func rethrow() throws(Errno) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func draw(_ text: String) {
    do {
      try FileDescriptor.standardError.writeAll("\r\u{1B}[K\(text)".utf8)
    } catch {
      // Where nothing can be shown, nobody waits for it.
    }
  }
}
