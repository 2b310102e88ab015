/// A dispatched action with everything that comes of it, for somebody who waits until all of it is over.
final class Activity: @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`.
  private let lock = Lock()
  private var open = 0
  private var waiter: CheckedContinuation<Void, Never>?
  private var hasBeenCancelled = false

  /// Whether whoever waits has given up: no further effects start.
  var isCancelled: Bool { lock.withLock { hasBeenCancelled } }

  func cancel() {
    lock.withLock { hasBeenCancelled = true }
  }

  /// Notes that one more thing is under way.
  func enter() {
    lock.withLock { open += 1 }
  }

  /// Notes that one of the things is over.
  func leave() {
    let due = lock.withLock { () -> CheckedContinuation<Void, Never>? in
      open -= 1
      guard open == 0 else { return nil }
      defer { waiter = nil }
      return waiter
    }
    due?.resume()
  }

  /// Waits until nothing is under way; only one task may wait.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = lock.withLock { () -> Bool in
        guard open > 0 else { return true }
        waiter = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}
