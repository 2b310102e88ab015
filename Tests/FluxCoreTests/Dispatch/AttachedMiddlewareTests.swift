import TestFixtures
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

  @Test(
    "one that is added before a step commits sees the states after it", arguments: [false, true])
  func addedBeforeCommit(isInReducer: Bool) throws {
    final class Start: AttachedMiddleware {
      let count = Recorded<Int>()

      func didAttach(_ context: DispatcherContext) {
        count.append(context.model[CounterStore.self])
        count.append(Int(context.nextStep))
      }
    }
    let (start, receiver, isAdded) = (Start(), Receiver(), Recorded<Bool>())
    let here = Recorded<Dispatcher>()
    let add: @Sendable (Bool) -> Void = { place in
      guard place == isInReducer, isAdded.count == 0, let dispatcher = here.all.first else {
        return
      }
      isAdded.append(true)
      dispatcher.use(start)
      dispatcher.use(receiver)
    }
    let dispatcher = Dispatcher([CounterStore(onReduce: { _ in add(true) })])
    here.append(dispatcher)
    dispatcher.use(Guarding { add(false) })
    dispatcher.dispatch(CounterAction.increase)
    dispatcher.dispatch(CounterAction.increase)
    #expect(start.count.all == [1, 2])
    #expect(receiver.seen.all == [#"2 changed: ["counter is 2"]"#])
  }

  /// Calls a closure before each step.
  private struct Guarding: Middleware {
    let look: @Sendable () -> Void

    func willDispatch(_ envelope: Envelope, _ model: Model) { look() }
  }
}
