import Synchronization

/// One effect under way: whether it still may dispatch, and the task to stop.
final class EffectToken: Sendable {
  let name: String
  let cause: UInt64
  private let cancelled = Atomic(false)
  private let task = TaskReference()

  init(name: String, cause: UInt64) {
    self.name = name
    self.cause = cause
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Takes the task to stop on cancellation, which may have come already.
  func attach(_ task: Task<Void, Never>) {
    self.task.set(task)
    if isCancelled { task.cancel() }
  }

  func cancel() {
    cancelled.store(true, ordering: .releasing)
    task.get()?.cancel()
  }
}

/// A task that is known only after it was started.
private final class TaskReference: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  private let lock = Lock()
  private var task: Task<Void, Never>?

  func set(_ task: Task<Void, Never>) {
    lock.withLock { self.task = task }
  }

  func get() -> Task<Void, Never>? {
    lock.withLock { task }
  }
}
