import Foundation
package import Testing

/// Runs each test of a suite on a thread of its own.
///
/// Tests that wait for a program block their thread. The threads of Swift concurrency are as few as the cores,
/// so blocked tests would keep all others waiting, and CPU-bound tests would keep the blocked ones waiting.
package struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let executor = ThreadExecutor()
    defer { executor.stop() }
    try await withTaskExecutorPreference(executor) { try await function() }
  }
}

extension Trait where Self == OwnThreadTrait {
  /// Runs each test on a thread of its own, for tests that block while they wait.
  package static var ownThread: Self { Self() }
}

/// Runs jobs one by one on a single thread.
private final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
  // Sendable: `condition` guards the variables.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []
  private var isStopped = false

  init() {
    let thread = Thread { [self] in run() }
    thread.name = "OwnThread"
    // A test may need more than the 512 KB of a secondary thread on Apple's systems.
    thread.stackSize = 8 << 20
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  /// Ends the thread after it has run the enqueued jobs.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.signal()
    }
  }

  private func run() {
    while let job = nextJob() {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private func nextJob() -> UnownedJob? {
    condition.withLock {
      while jobs.isEmpty, !isStopped { condition.wait() }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }
}
