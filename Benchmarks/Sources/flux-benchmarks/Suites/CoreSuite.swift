import FluxCore
import Harness

/// What a dispatch costs.
func coreSuite() -> Suite {
  Suite(
    "dispatch",
    [
      Figure(
        "changed, one selector observer", in: .nanoseconds, target: .atMost(90, .multiplication),
        limit: .atMost(63, .multiplication)
      ) {
        let (dispatcher, receipt) = watched()
        return Contest(
          .repeated {
            withExtendedLifetime(receipt) { dispatcher.dispatch(CounterAction.increase) }
          })
      },
      Figure(
        "unchanged, one selector observer", in: .nanoseconds, target: .atMost(37, .multiplication),
        limit: .atMost(25, .multiplication)
      ) {
        let (dispatcher, receipt) = watched()
        return Contest(
          .repeated {
            withExtendedLifetime(receipt) { dispatcher.dispatch(CounterAction.nothing) }
          })
      },
      Figure(
        "changed, a selector over three other stores", in: .nanoseconds, target: .timesRival(0.95)
      ) {
        let (watched, receipt) = watchedModel { model in
          model[OtherStore.self, "a"] &+ model[OtherStore.self, "b"] &+ model[OtherStore.self, "c"]
        }
        let alone = withOtherStores()
        return Contest(
          .repeated {
            withExtendedLifetime(receipt) { watched.dispatch(CounterAction.increase) }
          },
          beside: [Rival("no selector", .repeated { alone.dispatch(CounterAction.increase) })])
      },
      Figure(
        "added by a selector over three stores, one of them changed", in: .nanoseconds,
        target: .atMost(50, .multiplication)
      ) {
        let (watched, receipt) = watchedModel { model in
          model[CounterStore.self].count &+ model[FirstStore.self] &+ model[SecondStore.self]
        }
        let alone = withOtherStores()
        return Contest(
          .timed(rounds: 50) {
            let dispatches = 100_000
            func lap(_ dispatcher: Dispatcher) -> Lap {
              Stopwatch.lap {
                for _ in 0..<dispatches { dispatcher.dispatch(CounterAction.increase) }
              }
            }
            let (with, without) = (lap(watched), lap(alone))
            withExtendedLifetime(receipt) {}
            return [Lap(seconds: (with.seconds - without.seconds) / Double(dispatches))]
          })
      },
      Figure("rejected", in: .nanoseconds) {
        let dispatcher = Dispatcher([CounterStore()])
        return Contest(.repeated { dispatcher.dispatch(CounterAction.refuse) })
      },
      Figure("changed, nobody watches", in: .nanoseconds) {
        let dispatcher = Dispatcher([CounterStore()])
        return Contest(.repeated { dispatcher.dispatch(CounterAction.increase) })
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

/// A dispatcher whose store somebody watches.
private func watched() -> (Dispatcher, Receipt) {
  let dispatcher = Dispatcher([CounterStore()])
  let sum = Sum()
  let receipt = dispatcher.store(CounterStore.self).observe(initial: false, \.count) {
    sum.add($0)
  }
  return (dispatcher, receipt)
}

/// A dispatcher with the counter and five other stores.
private func withOtherStores() -> Dispatcher {
  Dispatcher(
    [CounterStore(), FirstStore(), SecondStore()]
      + ["a", "b", "c"].map { OtherStore(id: $0) as any Store })
}

/// A dispatcher with a selector over several stores.
private func watchedModel(
  _ select: @escaping @Sendable (borrowing ModelReader) -> Int
) -> (Dispatcher, Receipt) {
  let dispatcher = withOtherStores()
  let sum = Sum()
  return (dispatcher, dispatcher.observe(initial: false, select) { sum.add($0) })
}

/// A middleware that does nothing.
private struct Silence: Middleware {}

/// A sum that an observer adds to.
private final class Sum: @unchecked Sendable {
  // Sendable: only ever touched by the one thread that dispatches here.
  private var value = 0

  func add(_ number: Int) { value &+= number }
}
