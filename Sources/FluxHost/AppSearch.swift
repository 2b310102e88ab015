import FluxReplay
import FluxSystem

/// Asks the apps at several sockets at the same time to describe themselves, each on its own thread.
final class AppSearch: Sendable {
  typealias Answer = Result<LiveConnection?, LiveFailure>

  private struct State {
    /// The answers, by the index of the socket; nil at a socket to which nobody listens any more.
    var answers: [Int: Answer] = [:]
    var isInterrupted = false
    /// The sockets of the apps that were found; nil until the search has ended.
    var found: Set<Int>?
  }

  private let state = Monitor(State())
  private let sockets: [LiveSocket]
  private let isCancelled: @Sendable () -> Bool

  /// The milliseconds between two calls of `isCancelled`.
  private static let pulse = 50

  /// Asks the apps; only a thread that waits calls `isCancelled` before the end of the search.
  init(
    of sockets: [LiveSocket], _ limits: LiveConnection.Limits,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) {
    (self.sockets, self.isCancelled) = (sockets, isCancelled)
    for (index, socket) in sockets.enumerated() {
      do throws(SystemError) {
        try startThread { [self] in note(ask(socket, index, limits), at: index) }
      } catch {
        note(.failure(.refused(error.text(about: "its answer"))), at: index)
      }
    }
  }

  private func ask(_ socket: LiveSocket, _ index: Int, _ limits: LiveConnection.Limits) -> Answer {
    Answer { () throws(LiveFailure) in
      try LiveConnection.connect(
        to: socket, limits: limits, isCancelled: { [self] in isCancelled(at: index) })
    }
  }

  private func note(_ answer: Answer, at index: Int) {
    state.withLock { state in
      // The connection of an app that answers too late ends here.
      if state.found == nil { state.answers[index] = answer }
    }
    state.signal()
  }

  /// `true` interrupts a request to an app; those to the apps that were found continue after the search.
  private func isCancelled(at index: Int) -> Bool {
    let decided = state.withLock { state -> Bool? in
      guard let found = state.found else { return state.isInterrupted }
      return found.contains(index) ? nil : true
    }
    return decided ?? isCancelled()
  }

  /// Waits until all apps have answered, or for some seconds, or until it is interrupted.
  func wait(seconds: Double) {
    let end = ContinuousClock.now + .seconds(min(seconds, 1e9))
    while !unanswered.isEmpty, ContinuousClock.now < end {
      let isInterrupted = isCancelled()
      state.withLock { $0.isInterrupted = isInterrupted }
      guard !isInterrupted else { return }
      let count = sockets.count
      state.waitUntil(milliseconds: Self.pulse, { $0.answers.count == count }) { _ in }
    }
  }

  var unanswered: [LiveSocket] {
    state.withLock { state in
      sockets.indices.filter { state.answers[$0] == nil }.map { sockets[$0] }
    }
  }

  func hasFound(_ name: String) -> Bool {
    state.withLock { state in
      state.answers.values.contains { answer in
        guard case .success(let app?) = answer else { return false }
        return app.isNumbered(name) || app.isNamed(name)
      }
    }
  }

  /// Ends the search, and returns the answers; an app without one did not answer in `seconds`.
  func end(after seconds: Double) -> [(LiveSocket, Answer)] {
    state.withLock { state in
      let answers = state.answers
      // The connections have this object, so it must not have them.
      state.answers = [:]
      state.found = Set(answers.keys)
      return sockets.enumerated().map { index, socket in
        let silence = state.isInterrupted ? LiveFailure.cancelled : .timedOut(seconds: seconds)
        return (socket, answers[index] ?? .failure(silence))
      }
    }
  }
}
