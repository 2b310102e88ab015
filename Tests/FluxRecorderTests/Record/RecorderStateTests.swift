import Testing

@testable import FluxRecorder

@Suite struct RecorderStateTests {
  typealias State = RecorderState

  static let step = State.Step(fate: .recorded)
  static let other = State.Step(fate: .paused, began: .seconds(1))

  @Test(
    "each event has one next state and one action",
    arguments: [
      (.notStarted, .started, .beginning, .beginLog),
      (.notStarted, .stepBegan(step), .notStarted, .none),
      (.notStarted, .stepEnded, .notStarted, .none),
      (.notStarted, .closed, .closed, .none),

      (.beginning, .started, .closed, .rejectStart),
      (.beginning, .begun, .recording(nil), .none),
      (.beginning, .couldNotBegin, .failed, .none),
      (.beginning, .stepBegan(step), .beginning, .none),
      (.beginning, .stepEnded, .beginning, .none),
      (.beginning, .closed, .closed, .none),

      (.failed, .started, .closed, .rejectStart),
      (.failed, .stepBegan(step), .failed, .none),
      (.failed, .stepEnded, .failed, .none),
      (.failed, .closed, .closed, .none),

      (.recording(nil), .started, .closed, .rejectStart),
      (.recording(nil), .stepBegan(step), .recording(step), .none),
      (.recording(nil), .stepEnded, .recording(nil), .none),
      (.recording(nil), .closed, .closed, .closeLog),

      (.recording(step), .started, .closed, .rejectStart),
      (.recording(step), .stepBegan(other), .recording(other), .none),
      (.recording(step), .stepEnded, .recording(nil), .write(step)),
      (.recording(step), .closed, .closed, .closeLog),

      (.closed, .started, .closed, .none),
      (.closed, .begun, .closed, .closeLog),
      (.closed, .couldNotBegin, .closed, .none),
      (.closed, .stepBegan(step), .closed, .none),
      (.closed, .stepEnded, .closed, .none),
      (.closed, .closed, .closed, .none),
    ] as [(State, State.Event, State, State.Action)])
  func transition(
    _ before: State, _ event: State.Event, _ after: State, _ action: State.Action
  ) {
    var state = before
    #expect(state.handle(event) == action)
    #expect(state == after)
  }
}

@Suite struct StepNestingTests {
  @Test("steps are numbered, and an action inside a step gets no number and one warning")
  func nesting() {
    var steps = StepNesting()
    #expect(steps.enter() == .step(1))
    #expect(steps.enter() == .nested(in: 1, isFirst: true))
    #expect(steps.enter() == .nested(in: 1, isFirst: false))
    steps.leave()
    steps.leave()
    steps.leave()
    #expect(steps.enter() == .step(2))
    #expect(steps.enter() == .nested(in: 2, isFirst: false))
    steps.leave()
    steps.leave()
    #expect(steps.enter() == .step(3))
  }
}
