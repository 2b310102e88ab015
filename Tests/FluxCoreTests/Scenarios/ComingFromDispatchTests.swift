import FluxCore
import Testing

/// The code of the page "Coming from Dispatch".
@Suite struct ComingFromDispatchTests {
  enum CounterAction: Action, Equatable {
    case increase
    case decrease
    case add(amount: Int)
    case load
    case loadOnceQuiet
    case loadAtMostEverySecond
    case stop
    case rename(String)
    case undo
  }

  struct Counter: StateValue {
    var count = History(0)
    var title = ""
  }

  struct CounterStore: Store {
    let id: StoreID
    let load: @Sendable () async -> Int
    let initialState = Counter()

    func reduce(_ counter: inout Counter, _ action: CounterAction, _ step: inout Step) throws {
      switch action {
      case .increase: counter.count.change { $0 += 1 }
      case .decrease:
        guard counter.count.present > 0 else { throw Rejection("the counter is at 0") }
        counter.count.change { $0 -= 1 }
      case .add(let amount): counter.count.change { $0 += amount }
      case .load:
        step.effect("load", .serial) { [load] send in
          send(CounterAction.increase)
          send(CounterAction.add(amount: await load()))
        }
      case .loadOnceQuiet:
        step.effect(
          "quiet", .replacing(after: .seconds(1)), then: { CounterAction.add(amount: $0) }, load)
      case .loadAtMostEverySecond:
        step.effect(
          "throttled", .keeping(for: .seconds(1)), then: { CounterAction.add(amount: $0) }, load)
      case .stop: step.cancel("load")
      case .rename(let title): counter.title = title
      case .undo: counter.count.undo()
      }
    }
  }

  struct Total: Projection {
    let initialState = 0
    var reactions: [Reaction<Int>] {
      [
        .on(CounterAction.self) { total, action, step in
          let left = try step[CounterStore.self, "left"].count.present
          let right = try step[CounterStore.self, "right"].count.present
          total = left + right
        }
      ]
    }
  }

  struct Root: StateValue {
    var title = ""
  }

  enum TitleAction: Action { case set(String) }

  struct TitleStore: Store {
    let initialState = ""

    func reduce(_ title: inout String, _ action: TitleAction, _ step: inout Step) {
      if case .set(let newTitle) = action { title = newTitle }
    }
  }

  struct RootStore: Projection {
    let initialState = Root()
    var reactions: [Reaction<Root>] { [.child(\.title, TitleStore())] }
  }

  struct Logger: Middleware {
    let write: @Sendable (String) -> Void

    func willDispatch(_ envelope: Envelope, _ model: Model) throws {
      write("\(envelope.step) \(envelope.action)")
    }

    func didDispatch(_ step: CompletedStep) {
      if let rejection = step.outcome.rejection { write("\(step.envelope.step) \(rejection)") }
    }
  }

  @MainActor final class CountLabel {
    var text = ""
  }

  let log = Recorded<String>()
  let clock = ManualClock()
  let dispatcher: Dispatcher
  var counter: StoreHandle<CounterStore> { dispatcher.store(CounterStore.self, "left") }

  init() {
    let load: @Sendable () async -> Int = { 40 }
    dispatcher = Dispatcher(
      [
        CounterStore(id: "left", load: load), CounterStore(id: "right", load: load), Total(),
        RootStore(),
      ], clock: clock)
  }

  @Test("its stores, modes and chains")
  func modes() async {
    let log = log
    dispatcher.use(Logger { log.append($0) })
    dispatcher.dispatch(CounterAction.increase, to: "left")
    let right = dispatcher.store(CounterStore.self, "right")
    right.dispatch(.increase)
    dispatcher.dispatch(CounterAction.increase)
    #expect(dispatcher[Total.self] == 4)

    await withCheckedContinuation { continuation in
      dispatcher.enqueue(CounterAction.increase) { outcome in
        log.append("step \(outcome.step ?? 0) is done")
        dispatcher.enqueue(CounterAction.decrease) { _ in continuation.resume() }
      }
    }
    #expect(dispatcher[Total.self] == 4)

    for _ in 1...3 { right.dispatch(.decrease) }
    #expect(
      log.all == [
        "1 increase", "2 increase", "3 increase", "4 increase", "step 4 is done", "5 decrease",
        "6 decrease", "7 decrease", "8 decrease", "8 right: the counter is at 0",
      ])
  }

  @Test("its operations and groups")
  func operations() async {
    await counter.run(.load)
    #expect(counter.count.present == 41)
    await counter.run(.increase)
    async let first = counter.run(.load)
    async let second = counter.run(.load)
    _ = await (first, second)
    await counter.run(.decrease)
    #expect(counter.count.present == 123)
    dispatcher.cancelEffects()
    counter.dispatch(.stop)
    counter.dispatch(.undo)
    #expect(counter.count.present == 124)
  }

  @Test("its throttle and debounce")
  func timing() async {
    counter.dispatch(.loadAtMostEverySecond)
    counter.dispatch(.loadAtMostEverySecond)
    _ = await counter.states().first { $0.count.present == 40 }
    await clock.sleeper()
    clock.advance(by: .seconds(1))
    counter.dispatch(.loadOnceQuiet)
    counter.dispatch(.loadOnceQuiet)
    await clock.sleeper()
    clock.advance(by: .seconds(1))
    _ = await counter.states().first { $0.count.present == 80 }
    #expect(await counter.run(.stop).step == 7)
  }

  @Test("its child stores and bindings")
  func children() {
    let title = dispatcher.store(RootStore.self).child(\.title)
    dispatcher.dispatch(TitleAction.set("Two counters"))
    #expect(title.state == "Two counters")
    let left = dispatcher.store(CounterStore.self, "left")
    let name = left.binding(\.title, CounterAction.rename)
    let equal = Recorded<Bool>()
    let receipt = dispatcher.observe({
      $0[CounterStore.self, "left"].title == $0[CounterStore.self, "right"].title
    }) { equal.append($0) }
    name.value = "Left"
    receipt.cancel()
    #expect(equal.all == [true, false])
    #expect(left.title == "Left")
  }

  @Test("its main thread")
  @MainActor
  func mainActor() {
    let label = CountLabel()
    counter.observe(for: label, \.count.present) { label, count in label.text = "\(count)" }
    #expect(label.text == "0")
    counter.dispatch(.increase)
    #expect(label.text == "1")
  }
}
