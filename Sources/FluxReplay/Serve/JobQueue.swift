package import FluxSystem

/// Jobs that run one after the other: on the thread that ``start()`` begins, or on the one that calls ``run()``.
package final class JobQueue: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// The job to run if there is no other for a while.
    var idle: (milliseconds: Int, job: @Sendable () -> Void)?
    var hasThread: Bool
    var isFinished = false
  }

  private let name: String
  private let quality: ThreadQuality
  private let state: Monitor<State>

  /// Creates a queue; `hasThread` is `true` if a thread of the caller will call ``run()``.
  package init(_ name: String, hasThread: Bool = false, quality: ThreadQuality = .usual) {
    (self.name, self.quality) = (name, quality)
    state = Monitor(State(hasThread: hasThread))
  }

  /// Starts the thread of the queue, unless it has one.
  ///
  /// - Throws: ``SystemError`` if the system has no thread for it.
  package func start() throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      guard !state.hasThread, !state.isFinished else { return }
      // A state of the largest legal depth needs more than the 512 KB that threads have on Apple's systems.
      try startThread(named: name, quality: quality, stackSize: 8 << 20) { [self] in run() }
      state.hasThread = true
    }
  }

  /// Adds a job; does nothing after ``finish()``.
  package func add(_ job: @escaping @Sendable () -> Void) {
    state.withLock { if !$0.isFinished { $0.jobs.append(job) } }
    state.signal()
  }

  /// Runs the jobs until ``finish()``, and those that were added before.
  package func run() {
    while let job = next() { job() }
  }

  /// Runs a job once if there is no other for a while; called by a job of the queue.
  func whenIdle(forMilliseconds milliseconds: Int, _ job: @escaping @Sendable () -> Void) {
    state.withLock { if !$0.isFinished { $0.idle = (milliseconds, job) } }
  }

  private func next() -> (@Sendable () -> Void)? {
    // Only jobs of this thread change it.
    let pause = state.withLock { $0.idle?.milliseconds }
    return state.waitUntil(
      milliseconds: pause, { !$0.jobs.isEmpty || $0.isFinished }
    ) { state in
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      return state.isFinished ? nil : state.idle.take()?.job
    }
  }

  /// Ends the thread after the jobs so far.
  package func finish() {
    state.withLock { state in
      state.isFinished = true
      // The job keeps what the queue belongs to.
      state.idle = nil
    }
    state.signal()
  }
}
