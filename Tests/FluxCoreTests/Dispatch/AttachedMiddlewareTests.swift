import Testing

@testable import FluxCore

/// A middleware that takes over steps.
@Suite(.hangLimit) struct AttachedMiddlewareTests {
  private final class Receiver: AttachedMiddleware {
    let seen = Recorded<String>()

    func didDispatch(
      _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores
    ) {
      var states: [String] = []
      for index in 0..<changes.count {
        let change = changes.change(at: index)
        states.append("\(change.store) is \(change.snapshot.value)")
      }
      seen.append("\(envelope.step) \(outcome.result): \(states)")
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
        #"1 changed: ["counter is 1", "mirror is 1"]"#,
        "2 unchanged: []",
        "3 rejected: []",
      ])
  }

  @Test("before and after other middleware, it takes them over as well")
  func amongOthers() {
    let dispatcher = Dispatcher([CounterStore(), WordStore(), MirrorStore()])
    let (first, last) = (Receiver(), Receiver())
    dispatcher.use(first)
    let cancellation = dispatcher.engine.use(Spy())
    dispatcher.use(last)
    dispatch(to: dispatcher)
    cancellation.cancel()
    dispatcher.dispatch(CounterAction.increase)
    let steps = [
      #"1 changed: ["counter is 1", "mirror is 1"]"#, "2 unchanged: []", "3 rejected: []",
      #"4 changed: ["counter is 2", "mirror is 2"]"#,
    ]
    #expect(first.seen.all == steps)
    #expect(last.seen.all == steps)
  }
}
