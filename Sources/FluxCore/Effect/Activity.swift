/// A dispatched action with its follow-ups and effects, and theirs, for a task that awaits the end of all.
final class Activity: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private let lock = Lock()
  private var pendingCount = 0
  private var waiter: CheckedContinuation<Void, Never>?
  private var hasBeenCancelled = false

  /// `true` if the awaiting task was cancelled: no more effects of the activity start.
  var isCancelled: Bool { lock.withLock { hasBeenCancelled } }

  func cancel() {
    lock.withLock { hasBeenCancelled = true }
  }

  func enter() {
    lock.withLock { pendingCount += 1 }
  }

  func leave() {
    let resumed = lock.withLock { () -> CheckedContinuation<Void, Never>? in
      pendingCount -= 1
      guard pendingCount == 0 else { return nil }
      defer { waiter = nil }
      return waiter
    }
    resumed?.resume()
  }

  /// Waits until nothing is pending; only one task may wait.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = lock.withLock { () -> Bool in
        guard pendingCount > 0 else { return true }
        waiter = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}
