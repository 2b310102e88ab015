/// A started effect: its name and cause, the task to cancel, and the permission to dispatch.
///
/// A protected effect, which is uncancellable or in its commit phase, ends only if it is revoked.
final class EffectToken: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  let name: String
  let cause: UInt64
  private let lock = Lock()
  private var hasBeenCancelled = false
  /// `true` if the effect was cancelled in its commit phase, and ends with that.
  private var endsAfterCommit = false
  private var protectionCount: Int
  private var task: Task<Void, Never>?

  init(name: String, cause: UInt64, isUncancellable: Bool = false) {
    self.name = name
    self.cause = cause
    protectionCount = isUncancellable ? 1 : 0
  }

  var isCancelled: Bool { lock.withLock { hasBeenCancelled } }

  /// Sets the task to cancel; if the token is already cancelled, cancels it at once.
  func attach(_ task: Task<Void, Never>) {
    lock.withLock { self.task = task }
    if isCancelled { task.cancel() }
  }

  func cancel(revokes: Bool = false) {
    let task = lock.withLock { () -> Task<Void, Never>? in
      if protectionCount > 0, !revokes {
        endsAfterCommit = true
        return nil
      }
      hasBeenCancelled = true
      return self.task
    }
    task?.cancel()
  }

  /// Begins a commit phase; returns `false` if the effect was cancelled before.
  func beginCommit() -> Bool {
    lock.withLock {
      if !hasBeenCancelled { protectionCount += 1 }
      return !hasBeenCancelled
    }
  }

  func endCommit() {
    let task = lock.withLock { () -> Task<Void, Never>? in
      protectionCount -= 1
      guard protectionCount == 0, endsAfterCommit else { return nil }
      hasBeenCancelled = true
      return self.task
    }
    task?.cancel()
  }
}
