import FluxCore
import Harness
import Inputs

/// What a dispatch costs.
func coreSuite() -> Suite {
  Suite(
    "dispatch",
    [
      Figure(
        "changed, one selector observer", in: .nanoseconds, target: .atMost(150),
        limit: .atMost(77)
      ) {
        dispatching(.increase, watched: true)
      },
      Figure("unchanged, one selector observer", in: .nanoseconds, target: .atMost(60)) {
        dispatching(.nothing, watched: true)
      },
      Figure("rejected", in: .nanoseconds) { dispatching(.refuse, watched: true) },
      Figure("changed, nobody watches", in: .nanoseconds) {
        dispatching(.increase, watched: false)
      },
      Figure("beside 1,000 other stores", in: .nanoseconds, target: .timesRival(0.9)) {
        let others = (0..<1_000).map { OtherStore(id: StoreID("other\($0)")) as any Store }
        let (crowd, alone) = (Dispatcher([CounterStore()] + others), Dispatcher([CounterStore()]))
        return Contest(
          .repeated { crowd.dispatch(CounterAction.increase) },
          beside: [Rival("alone", .repeated { alone.dispatch(CounterAction.increase) })])
      },
      Figure("changed, one middleware", in: .nanoseconds) {
        let dispatcher = Dispatcher([CounterStore()])
        dispatcher.use(Silence())
        return Contest(.repeated { dispatcher.dispatch(CounterAction.increase) })
      },
      Figure("a read through a handle", in: .nanoseconds) {
        let handle = Dispatcher([CounterStore()]).store(CounterStore.self)
        return Contest(.repeated { handle.count })
      },
    ])
}

private func dispatching(_ action: CounterAction, watched: Bool) -> Contest {
  let dispatcher = Dispatcher([CounterStore()])
  guard watched else { return Contest(.repeated { dispatcher.dispatch(action) }) }
  let sum = Sum()
  let receipt = dispatcher.store(CounterStore.self).observe(initial: false, \.count) {
    sum.add($0)
  }
  return Contest(
    .repeated { withExtendedLifetime(receipt) { dispatcher.dispatch(action) } })
}

/// A middleware that does nothing.
private struct Silence: Middleware {}

/// A sum that an observer adds to.
private final class Sum: @unchecked Sendable {
  // Sendable: only ever touched by the one thread that dispatches here.
  private var value = 0

  func add(_ number: Int) { value &+= number }
}
