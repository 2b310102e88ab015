import FluxTesting
import Foundation
import TestFixtures
import Testing

@Suite struct TestClockTests {
  private let clock = TestClock()

  @Test(
    "advancing wakes the sleepers whose deadlines it passes; running, also those that sleep again")
  func order() async throws {
    let woken = AsyncStream<Int>.makeStream()
    let clock = clock
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        woken.continuation.yield(seconds)
        try await clock.sleep(for: .seconds(4))
      }
    }
    for second in 1...3 {
      await clock.sleepers(3)
      await clock.advance(by: .seconds(1))
      #expect(clock.now.offset == .seconds(second))
    }
    await clock.sleepers(3)
    await clock.run()
    for task in tasks { try await task.value }
    woken.continuation.finish()
    var all: [Int] = []
    for await one in woken.stream { all.append(one) }
    #expect(all == [1, 2, 3])
    #expect(clock.now.offset == .seconds(7))
    #expect(clock.date == Date(timeIntervalSinceReferenceDate: 7))
  }

  @Test("waiting for sleepers ends if the waiting task is cancelled", .hangLimit)
  func cancelledWaiting() async {
    let clock = clock
    for _ in 0..<20 {
      let waiting = Task { await clock.sleepers() }
      // Before it waits, or meanwhile.
      await Task.yield()
      waiting.cancel()
      await waiting.value
    }
  }

  @Test("a task that is cancelled before it sleeps does not sleep, and one that sleeps wakes up")
  func cancellation() async {
    let clock = clock
    let begun = AsyncStream<Void>.makeStream()
    let early = Task {
      for await _ in begun.stream {}
      try await clock.sleep(for: .seconds(1))
    }
    early.cancel()
    begun.continuation.finish()
    await #expect(throws: CancellationError.self) { try await early.value }
    let late = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers()
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.sleepingTasks == 0)
  }

  @Test("a deadline that has passed needs no sleep")
  func past() async throws {
    try await clock.sleep(for: .zero)
    await clock.advance(by: .seconds(5))
    try await clock.sleep(until: TestClock.Instant(offset: .seconds(5)))
    #expect(clock.now.offset == .seconds(5))
  }
}
