import FluxCore
public import Foundation

/// A clock that a test advances, so that no test waits for time to pass.
///
/// ```swift
/// let clock = TestClock()
/// let dispatcher = Dispatcher(makeStores(), clock: clock)
/// dispatcher.dispatch(SearchAction.type("milk"))
/// await clock.advance(by: .milliseconds(300))
/// ```
/// Advancing wakes the sleepers in the order of their deadlines. Before each of them, it gives running tasks the
/// time to fall asleep. In an `expect`, use ``DispatcherExpectation/advance(by:file:line:)``, which waits for the
/// dispatcher's effects.
public final class TestClock: Clock, @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  /// A moment of a test clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// Creates a moment.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// Returns the moment after a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration up to another moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Compares two moments.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let number: UInt64
    let deadline: Instant
    /// The effect that sleeps; nil if it is another task.
    let effect: ObjectIdentifier?
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// A task that waits for a number of sleepers.
  private struct Watcher {
    let number: UInt64
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private let beginning: Date
  private let lock = Lock()
  private var time = Instant()
  /// The number of the newest sleeper or watcher.
  private var newest: UInt64 = 0
  private var sleepers: [Sleeper] = []
  private var watchers: [Watcher] = []

  /// Creates a clock that stands still.
  ///
  /// - Parameter beginning: The date at which ``date`` begins: by default, the first moment of 2001 in UTC.
  public init(beginning: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    self.beginning = beginning
  }

  /// The current moment.
  public var now: Instant { lock.withLock { time } }

  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The current date, for the `now` of a dispatcher.
  public var date: Date {
    beginning.addingTimeInterval(now.offset / .seconds(1))
  }

  /// The number of tasks that sleep.
  public var sleepingTasks: Int { lock.withLock { sleepers.count } }

  var sleepingEffects: Set<ObjectIdentifier> {
    lock.withLock { Set(sleepers.compactMap(\.effect)) }
  }

  /// Sleeps until the clock has been advanced to a deadline.
  ///
  /// Throws `CancellationError` if the task is cancelled, also if that happens before it sleeps.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = nextNumber()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        register(
          Sleeper(
            number: number, deadline: deadline, effect: RunningEffect.currentTask,
            continuation: continuation))
      }
    } onCancel: {
      let cancelled = lock.withLock {
        sleepers.firstIndex { $0.number == number }.map { sleepers.remove(at: $0) }
      }
      cancelled?.continuation.resume(throwing: CancellationError())
    }
  }

  // A task is marked as cancelled before its handler runs. So either the mark is seen here, under the
  // lock, or the handler finds the sleeper that is registered here.
  private func register(_ sleeper: Sleeper) {
    let (verdict, due) = lock.withLock {
      () -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
      if Task.isCancelled { return (.failure(CancellationError()), []) }
      if sleeper.deadline <= time { return (.success(()), []) }
      sleepers.append(sleeper)
      let due = watchers.filter { $0.count <= sleepers.count }.map(\.continuation)
      watchers.removeAll { $0.count <= sleepers.count }
      return (nil, due)
    }
    if let verdict { sleeper.continuation.resume(with: verdict) }
    for watcher in due { watcher.resume() }
  }

  private func nextNumber() -> UInt64 {
    lock.withLock {
      newest += 1
      return newest
    }
  }

  /// Waits until at least `count` tasks sleep, or until the waiting task is cancelled, for example by a test's time limit.
  public func sleepers(_ count: Int = 1) async {
    let number = nextNumber()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = lock.withLock { () -> Bool in
          if sleepers.count >= count || Task.isCancelled { return true }
          watchers.append(Watcher(number: number, count: count, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let cancelled = lock.withLock {
        watchers.firstIndex { $0.number == number }.map { watchers.remove(at: $0) }
      }
      cancelled?.continuation.resume()
    }
  }

  // MARK: Advancing

  /// Advances the clock, and wakes the tasks whose deadlines it passes, one by one.
  public func advance(by duration: Duration) async {
    let target = now.advanced(by: duration)
    await advance(to: target) { await Self.yield() }
  }

  /// Advances the clock until no task sleeps.
  ///
  /// A task that always sleeps again, such as one that polls, never ends that: cancel it before, or use
  /// ``advance(by:)``.
  public func run() async {
    await advance(to: nil) { await Self.yield() }
  }

  /// Advances to `target`, or until no task sleeps; calls `settle` before each look at the sleepers.
  nonisolated(nonsending) func advance(
    to target: Instant?, settle: nonisolated(nonsending) () async -> Void
  ) async {
    await settle()
    while wakeNext(until: target) { await settle() }
    guard let target else { return }
    lock.withLock { time = max(time, target) }
  }

  /// Wakes the sleeper with the earliest deadline, if that is not after `target`.
  private func wakeNext(until target: Instant?) -> Bool {
    let next = lock.withLock { () -> Sleeper? in
      let first = sleepers.indices.min {
        (sleepers[$0].deadline, sleepers[$0].number) < (sleepers[$1].deadline, sleepers[$1].number)
      }
      guard let first, target.map({ sleepers[first].deadline <= $0 }) ?? true else { return nil }
      time = max(time, sleepers[first].deadline)
      return sleepers.remove(at: first)
    }
    next?.continuation.resume()
    return next != nil
  }

  /// Gives other tasks the time to reach their next sleep.
  private static func yield() async {
    for _ in 0..<20 {
      await Task.detached(priority: .background) { await Task.yield() }.value
    }
  }
}
