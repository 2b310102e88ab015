import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct ForkStepsTests {
  @Test("steps are read as they were added")
  func round() throws {
    var made: [ForkStep] = []
    for index in 0..<200 {
      var step = ForkStep(
        ReplayedStep(
          number: 7 + UInt64(index), time: LogTime(microseconds: UInt64(index)),
          verdict: index % 50 == 3
            ? .rejected(LogRejection(reason: "store", message: "no \(index)")) : .accepted,
          changes: index % 3 == 0 ? [] : [.init(store: "a", state: 1)],
          effects: index % 4 == 0 ? ["fetch"] : []),
        action: try JSON.parse(#"{"type":"add", "payload":{"n":\#(index).0}}"#))
      step.target = index % 5 == 0 ? "a" : nil
      step.cause = index % 2 == 0 ? UInt64(index) : nil
      step.effect = index % 7 == 0 ? "timer" : nil
      step.from = index % 11 == 0 ? "observer" : nil
      step.repeats = index % 13 == 0 ? nil : UInt64(index * 2)
      if index % 4 == 0 { step.storeEffects = [StoreEffects(store: "a", names: ["fetch"])] }
      made.append(step)
    }
    var steps = ForkSteps(first: 7)
    #expect(!steps.repeatsRecording)
    for step in made { steps.append(step) }
    #expect(Array(steps) == made)
    #expect(steps.map(\.action.text) == made.map(\.action.text))
    #expect(steps.repeatsRecording)
    steps.setRepeats(3, at: 0)
    steps.setRepeats(nil, at: 1)
    #expect(steps[0].repeats == 3)
    #expect(steps[1].repeats == nil)
    #expect(steps.last == made.last)
    #expect(Array(steps[10..<12]) == Array(made[10..<12]))
  }
}
