package import FluxInspector
import FluxSystem
import FluxTerminal
import Foundation

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
    var estimate = ProgressEstimate()
    var isHidden = false
    var failure: LostOutput?
  }

  private static let patience = Duration.milliseconds(500)
  private static let pace = Duration.milliseconds(100)

  private let state: Monitor<State>
  private let isShown: Bool

  /// Handles Ctrl-C, and shows progress if standard error is a terminal that can rewrite a line.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    Interruption.watch()
    state = Monitor(State())
    isShown = isatty(2) == 1 && environment.namesFullTerminal
  }

  package var isInterrupted: Bool { state.withLock { $0.interruption.isRequested } }

  /// `true` after Ctrl-C; shows that the command waits for an app.
  package var isInterruptedWaiting: Bool {
    show(state.withLock { $0.progress } ?? "waiting for the app")
    return isInterrupted
  }

  package func begin() {
    state.withLock { $0 = State() }
  }

  /// Removes the line of progress, before output and at the end.
  package func clear() {
    let wasDrawn = state.withLock { state in
      defer { state.drawn = nil }
      return state.drawn != nil
    }
    if wasDrawn { draw("") }
  }

  /// Removes the line of progress for good, because another program uses the screen.
  package func hide() {
    clear()
    state.withLock { $0.isHidden = true }
  }

  package func show(_ progress: FluxInspector.Progress) {
    let text = state.withLock { state in
      let text = state.estimate.text(progress, at: .now)
      state.progress = text
      return text
    }
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
    draw("\(progress.printable) (Ctrl-C stops)")
  }

  /// Waits for some seconds, or until Ctrl-C.
  package func pause(_ seconds: Double) {
    let end = ContinuousClock.now + .seconds(max(0, seconds))
    while ContinuousClock.now < end, !isInterrupted {
      let rest = min(end - .now, .milliseconds(20))
      usleep(UInt32(max(0, rest / .microseconds(1))))
    }
  }

  /// Keeps the error of a write, for ``rethrow()``.
  package func fail(_ error: LostOutput) {
    state.withLock { $0.failure = error }
  }

  /// Throws the error of ``fail(_:)``.
  package func rethrow() throws(LostOutput) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func draw(_ text: String) { StandardStream.error.show("\r\u{1B}[K\(text)") }
}

extension Services {
  /// Creates services that write notes to a stream, and neither show progress nor can be interrupted.
  package init(noting stream: StandardStream) {
    self.init()
    note = { try stream.write("note: \($0.printable)\n") }
  }

  /// Creates services with the interruption and progress of a running command, and the files of the machine.
  package init(_ command: RunningCommand) {
    self.init(noting: .error)
    isInterrupted = { command.isInterrupted }
    progress = { command.show($0) }
    note = { [note] in
      command.clear()
      try note($0)
    }
    pause = { command.pause($0) }
    files = SystemFiles()
    open = { [input = LogInput(self)] in try input.open($0) }
  }
}
