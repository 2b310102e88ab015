import FluxSystem
package import Foundation

/// Jobs that run one after the other: on a thread that begins with the first of them, or on the thread that calls
/// ``run()``.
package final class JobQueue: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// The job to run if there is no other for a while.
    var idle: (milliseconds: Int, job: @Sendable () -> Void)?
    var hasThread: Bool
    var isFinished = false
  }

  private let name: String
  private let quality: QualityOfService
  private let state: Monitor<State>

  /// Creates a queue; `hasThread` is `true` if a thread of the caller will call ``run()``.
  package init(_ name: String, hasThread: Bool = false, quality: QualityOfService = .default) {
    (self.name, self.quality) = (name, quality)
    state = Monitor(State(hasThread: hasThread))
  }

  /// Adds a job; does nothing after ``finish()``.
  package func add(_ job: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      guard !state.isFinished else { return false }
      state.jobs.append(job)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    state.signal()
    guard needsThread else { return }
    let thread = Thread { [self] in run() }
    thread.name = name
    thread.qualityOfService = quality
    // A state of the largest legal depth needs more than the 512 KB that threads have on Apple's systems.
    thread.stackSize = 8 << 20
    thread.start()
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
