import FluxSystem
import Foundation
package import Testing

/// Runs tests that wait for programs on threads of their own.
///
/// Tests share a pool with a thread for each core, and such a test blocks its thread while it waits. Two of them would
/// leave all others waiting on a machine that has nothing else to do.
package struct WaitingTrait: SuiteTrait, TestTrait, TestScoping {
  private static let threads = WaitingThreads(count: 3)

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.threads) { try await function() }
  }
}

extension Trait where Self == WaitingTrait {
  /// The tests block their threads while they wait for programs.
  package static var waiting: Self { WaitingTrait() }
}

/// A number of threads that run jobs in the order in which they come, and may be blocked by them.
private final class WaitingThreads: TaskExecutor {
  // The Thread Sanitizer does not see that a thread has waited for a Mutex.
  private let jobs = Monitor<[UnownedJob]>([])

  init(count: Int) {
    for _ in 0..<count {
      let thread = Thread { [self] in
        while true {
          let job = jobs.waitUntil({ !$0.isEmpty }) { $0.removeFirst() }
          // The thread keeps this executor.
          unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    jobs.signal()
  }
}
