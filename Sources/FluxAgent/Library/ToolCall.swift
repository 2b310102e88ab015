import FluxInspector
import FluxSystem

/// A call that is under way: its limits, and the way to stop it.
final class ToolCall: Sendable {
  /// The number of bytes of the answer.
  let frame: AnswerFrame
  private let deadline: ContinuousClock.Instant
  private let cancelled = Monitor(false)
  private let tell: @Sendable (Progress) -> Void

  init(
    budget: Int, seconds: Double, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    frame = AnswerFrame(budget: budget)
    deadline = .now + .seconds(seconds)
    tell = progress
  }

  /// Ends the work of the call.
  func cancel() { cancelled.withLock { $0 = true } }

  /// `true` if the client no longer wants the answer.
  var isCancelled: Bool { cancelled.withLock { $0 } }

  /// `true` if the time is over.
  var isLate: Bool { ContinuousClock.now >= deadline }

  /// `true` if the work has to end.
  var isStopped: Bool { isCancelled || isLate }

  /// The services of a session that works for the call.
  var services: Services {
    var services = Services()
    services.isInterrupted = { [self] in isStopped }
    services.progress = tell
    return services
  }

  /// The work of a list of rows, which ends between two rows, with a cursor, when the time is over.
  var work: Work {
    Work(deadline: deadline, isCancelled: { [self] in isCancelled }, progress: tell)
  }

  /// Reports the progress of work that no session does.
  func report(_ activity: String, _ done: Int, of total: Int) {
    tell(Progress(activity: activity, done: done, total: total))
  }
}

extension Monitor {
  /// Calls `body` while a call has a slot of the state, which is empty otherwise; calls take turns.
  ///
  /// - Throws: ``TimeOut`` if the call ends before its turn, and errors of `body`.
  func holding<Result>(
    _ slot: WritableKeyPath<State, ToolCall?>, for call: ToolCall, _ body: () throws -> Result
  ) throws -> Result {
    while !withLock({ state in
      guard state[keyPath: slot] == nil else { return false }
      state[keyPath: slot] = call
      return true
    }) {
      guard !call.isStopped else { throw TimeOut() }
      waitUntil(milliseconds: 50, { $0[keyPath: slot] == nil }) { _ in }
    }
    defer {
      withLock { $0[keyPath: slot] = nil }
      signal()
    }
    return try body()
  }
}
