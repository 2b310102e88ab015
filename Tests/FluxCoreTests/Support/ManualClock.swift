import Foundation

/// A clock that a test advances, so that waiting takes no time.
///
/// A test must await ``sleeper()`` before it advances the clock; otherwise it may wake nobody.
final class ManualClock: Clock, @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  struct Instant: InstantProtocol {
    fileprivate var offset: Duration = .zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let lock = NSLock()
  private var time = Instant()
  private var sleepers: [UUID: Sleeper] = [:]
  private var watchers: [CheckedContinuation<Void, Never>] = []

  var now: Instant { lock.withLock { time } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        register(Sleeper(deadline: deadline, continuation: continuation), as: id)
      }
    } onCancel: {
      let cancelled = lock.withLock { sleepers.removeValue(forKey: id) }
      cancelled?.continuation.resume(throwing: CancellationError())
    }
  }

  // A task is marked as cancelled before its handler runs. So either the mark is seen here, under the
  // lock, or the handler finds the sleeper that is registered here.
  private func register(_ sleeper: Sleeper, as id: UUID) {
    let (verdict, due) = lock.withLock {
      () -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
      if Task.isCancelled { return (.failure(CancellationError()), []) }
      if sleeper.deadline <= time { return (.success(()), []) }
      sleepers[id] = sleeper
      defer { watchers = [] }
      return (nil, watchers)
    }
    if let verdict { sleeper.continuation.resume(with: verdict) }
    for watcher in due { watcher.resume() }
  }

  /// Waits until a task that is not cancelled sleeps by this clock.
  func sleeper() async {
    await withCheckedContinuation { continuation in
      let isThere = lock.withLock { () -> Bool in
        if sleepers.isEmpty { watchers.append(continuation) }
        return !sleepers.isEmpty
      }
      if isThere { continuation.resume() }
    }
  }

  /// Advances the time and wakes all due sleepers, the earliest first.
  func advance(by duration: Duration) {
    let due = lock.withLock { () -> [Sleeper] in
      time = time.advanced(by: duration)
      let due = sleepers.filter { $0.value.deadline <= time }
      for id in due.keys { sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
