import Foundation
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
}
