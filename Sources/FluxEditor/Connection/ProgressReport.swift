import FluxInspector
import FluxSystem

/// Shows a client the progress of the worker's request, once it takes long.
final class ProgressReport: Sendable {
  private struct State {
    var isWanted = false
    var count = 0
    var shown: String?
    var updated = ContinuousClock.now
  }

  private static let patience = Duration.milliseconds(500)
  private static let pace = Duration.milliseconds(200)

  private let connection: ClientConnection
  private let inbox: Inbox
  private let state = Monitor(State())

  init(_ connection: ClientConnection, _ inbox: Inbox) {
    (self.connection, self.inbox) = (connection, inbox)
  }

  /// Begins to show progress; without this call the client does not want any.
  func begin() { state.withLock { $0.isWanted = true } }

  /// Takes the progress of the running request.
  func report(_ progress: Progress) {
    guard state.withLock({ $0.isWanted }), let running = inbox.running,
      running.time >= Self.patience
    else { return }
    let percentage =
      progress.total > 0 ? (Double(progress.done) * 100 / Double(progress.total)).rounded() : nil
    let (shown, isNew, isDue) = state.withLock { state in
      let now = ContinuousClock.now
      if let shown = state.shown {
        let isDue = now - state.updated >= Self.pace
        if isDue { state.updated = now }
        return (shown, false, isDue)
      }
      state.count += 1
      let id = "progress-\(state.count)"
      (state.shown, state.updated) = (id, now)
      return (id, true, true)
    }
    if isNew {
      inbox.showsProgress(shown)
      connection.tell(
        "progressStart",
        ProgressStartBody(
          progressId: shown, title: "flux-inspect: \(progress.activity)",
          requestId: running.request.seq, percentage: percentage))
    } else if isDue {
      connection.tell(
        "progressUpdate",
        ProgressUpdateBody(progressId: shown, message: progress.activity, percentage: percentage))
    }
  }

  /// Ends what is shown.
  func end() {
    guard
      let shown = state.withLock({ state in
        defer { state.shown = nil }
        return state.shown
      })
    else { return }
    connection.tell("progressEnd", ProgressEndBody(progressId: shown))
  }
}
