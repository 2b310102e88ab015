import Dispatch
import Foundation
import TestFixtures
import Testing

@testable import FluxRecorder

@Suite struct AppStepsTests {
  @Test("steps are numbered, and an action inside a step gets no number and one warning")
  func nesting() {
    let steps = AppSteps(seed: 0, clock: { Date() })
    #expect(steps.enter() == .step(1))
    #expect(steps.enter() == .nested(in: 1, isFirst: true))
    #expect(steps.enter() == .nested(in: 1, isFirst: false))
    for _ in 1...3 { steps.leave() }
    #expect(steps.enter() == .step(2))
    #expect(steps.enter() == .nested(in: 2, isFirst: false))
    steps.leave()
    steps.leave()
    #expect(steps.enter() == .step(3))
  }
  /// Calls a closure on the main queue, from a new thread, which may be the one that the queue then runs on.
  private func onMainQueue<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: DispatchQueue.main.sync { body() }) }.start()
    }
  }

  @Test("the main queue has one turn, whichever thread it continues on", .hangLimit)
  func mainQueue() async {
    let steps = AppSteps(seed: 0, clock: { Date() })
    #expect(await onMainQueue { steps.enter() } == .step(1))
    #expect(await onMainQueue { steps.enter() } == .nested(in: 1, isFirst: true))
    await onMainQueue { for _ in 1...2 { steps.leave() } }
    #expect(await onMainQueue { steps.enter() } == .step(2))
  }
}
