import FluxCore
import Testing

/// Dispatch's features for actions and operations: scenarios D1, D2 and D6 to D8.
@Suite struct DispatchScenarioTests {
  enum CounterAction: Action {
    case add(Int)
    /// Adds after the window.
    case addLater(Int)
    /// Adds 1 after a window without further requests.
    case addWhenQuiet
  }

  struct CounterStore: Store {
    static let window = Duration.milliseconds(300)

    let clock: ManualClock
    let initialState = 0

    func reduce(_ count: inout Int, _ action: CounterAction, _ step: inout Step) {
      switch action {
      case .add(let amount):
        count += amount
      case .addLater(let amount):
        step.effect(
          "add", .concurrent, then: { _ in CounterAction.add(amount) }, catch: { _ in nil }
        ) { [clock] in
          try await clock.sleep(for: Self.window)
        }
      case .addWhenQuiet:
        step.effect("add", .replacing(after: Self.window)) { send in
          send(CounterAction.add(1))
        }
      }
    }
  }

  let clock = ManualClock()
  let dispatcher: Dispatcher
  let counter: StoreHandle<CounterStore>

  init() {
    dispatcher = Dispatcher([CounterStore(clock: clock)], clock: clock)
    counter = dispatcher.store(CounterStore.self)
  }

  @Test("D1: the completion of an asynchronous +42 sees 42")
  func asynchronous() async {
    let completed = await withCheckedContinuation { continuation in
      dispatcher.enqueue(CounterAction.add(42)) { _ in
        continuation.resume(returning: counter.state)
      }
    }
    #expect(completed == 42)
  }

  @Test("D2: the completion of the last of three +1 in sequence sees 3")
  func sequence() async {
    let completed = await withCheckedContinuation { continuation in
      dispatcher.enqueue(CounterAction.add(1)) { _ in
        dispatcher.enqueue(CounterAction.add(1)) { _ in
          dispatcher.enqueue(CounterAction.add(1)) { _ in
            continuation.resume(returning: counter.state)
          }
        }
      }
    }
    #expect(completed == 3)
  }

  @Test("D2: three +1 that are run one after the other leave 3")
  func awaitedSequence() async {
    await counter.run(.add(1))
    await counter.run(.add(1))
    await counter.run(.add(1))
    #expect(counter.state == 3)
  }

  @Test("D6: an operation that is cancelled with all others never completes, and the count is 0")
  func cancelAll() async {
    async let outcome = counter.run(.addLater(1))
    await clock.sleeper()
    dispatcher.cancelEffects()
    #expect(await outcome.effects == ["add"])
    clock.advance(by: CounterStore.window)
    #expect(counter.state == 0)
    #expect(await counter.run(.add(0)).step == 2)
  }

  @Test("D7: the group +1, concurrently {+1, +1}, +1 leaves 4")
  func group() async {
    await counter.run(.add(1))
    async let first = counter.run(.add(1))
    async let second = counter.run(.add(1))
    let steps = await [first.step, second.step].compactMap(\.self)
    #expect(Set(steps) == [2, 3])
    #expect(await counter.run(.add(1)).step == 4)
    #expect(counter.state == 4)
  }

  @Test("D8: three debounced +1 within the window count once")
  func debounce() async {
    for count in 1...2 {
      counter.dispatch(.addWhenQuiet)
      counter.dispatch(.addWhenQuiet)
      counter.dispatch(.addWhenQuiet)
      await clock.sleeper()
      clock.advance(by: CounterStore.window)
      _ = await counter.states().first { $0 == count }
    }
    #expect(counter.state == 2)
    #expect(await counter.run(.add(0)).step == 9)
  }
}
