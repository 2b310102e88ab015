import Testing

@testable import FluxCore

/// A middleware that takes over steps.
@Suite(.hangLimit) struct FinalMiddlewareTests {
  private final class Receiver: FinalMiddleware {
    let seen = Recorded<String>()

    var looksAhead: Bool { false }

    func didDispatch(_ step: CompletedStep) {
      let states = step.changed.map { store in
        "\(store) is \(step.model.snapshot(of: store).map { "\($0.value)" } ?? "-")"
      }
      seen.append("\(step.envelope.step) \(step.outcome.result), completed: \(states)")
    }

    func didDispatch(
      _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores
    ) {
      var states: [String] = []
      for index in 0..<changes.count {
        let change = changes.change(at: index)
        states.append("\(change.store) is \(change.snapshot.value)")
      }
      seen.append("\(envelope.step) \(outcome.result), taken over: \(states)")
    }
  }

  /// Has the state of the counter.
  private struct MirrorStore: Projection {
    let id: StoreID = "mirror"
    let initialState = 0

    var reactions: [Reaction<Int>] {
      [.on(CounterAction.self) { state, _, step in state = try step[CounterStore.self] }]
    }
  }

  private func dispatch(to dispatcher: Dispatcher) {
    dispatcher.dispatch(CounterAction.increase)
    dispatcher.dispatch(CounterAction.nothing)
    dispatcher.dispatch(CounterAction.refuse("no"))
  }

  @Test("alone, it takes over every step with its outcome and the new states")
  func alone() {
    let dispatcher = Dispatcher([CounterStore(), WordStore(), MirrorStore()])
    let receiver = Receiver()
    dispatcher.use(receiver)
    dispatch(to: dispatcher)
    #expect(
      receiver.seen.all == [
        #"1 changed, taken over: ["counter is 1", "mirror is 1"]"#,
        "2 unchanged, taken over: []",
        "3 rejected, taken over: []",
      ])
  }

  @Test("beside another middleware, it gets completed steps; alone again, it takes them over")
  func besideAnother() {
    let dispatcher = Dispatcher([CounterStore(), WordStore(), MirrorStore()])
    let receiver = Receiver()
    dispatcher.use(receiver)
    let cancellation = dispatcher.engine.use(Spy())
    dispatch(to: dispatcher)
    cancellation.cancel()
    dispatcher.dispatch(CounterAction.increase)
    #expect(
      receiver.seen.all == [
        #"1 changed, completed: ["counter is 1", "mirror is 1"]"#,
        "2 unchanged, completed: []",
        "3 rejected, completed: []",
        #"4 changed, taken over: ["counter is 2", "mirror is 2"]"#,
      ])
  }
}
