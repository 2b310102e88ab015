import TestFixtures
import Testing

@testable import FluxCore

@Suite @MainActor struct LiveHistoryTests {
  private let dispatcher = Dispatcher([CounterStore()])
  private var counter: StoreHandle<CounterStore> { dispatcher.store(CounterStore.self) }

  @Test("back and forward show the models one by one, while the app goes on")
  func moves() {
    let history = LiveHistory(dispatcher)
    let observed = counter.observed { $0 }
    #expect(!history.back())
    counter.dispatch(.increase)
    counter.dispatch(.nothing)
    counter.dispatch(.increase)
    #expect(history.entries.map { $0.model[CounterStore.self] } == [0, 1, 2])
    #expect(history.entries.map { $0.model.step } == [0, 1, 3])
    #expect(history.back() && !history.isLive)
    #expect(observed.value == 1)
    counter.dispatch(.increase)
    #expect(observed.value == 1)
    #expect(history.back() && !history.back())
    #expect(history.index == 0 && observed.value == 0)
    #expect(history.jump(to: 2) && observed.value == 2)
    #expect(!history.jump(to: 4))
    #expect(history.forward() && !history.forward())
    #expect(history.isLive && observed.value == 3)
  }

  @Test("the page's moves")
  func page() throws {
    let dispatcher = dispatcher
    let history = LiveHistory(dispatcher)
    counter.dispatch(.increase)
    history.back()
    history.forward()
    try history.resumeHere()
    try dispatcher.present(history.entries[0].model, whilePresenting: .ignoring)
    #expect(counter.dispatch(.increase).result == .ignored)
    dispatcher.endPresenting()
    #expect(counter.dispatch(.increase).result == .changed)
  }

  @Test("resuming continues from the shown model, and keeps the models after it")
  func resume() throws {
    let history = LiveHistory(dispatcher)
    let observed = counter.observed { $0 }
    for _ in 0..<3 { counter.dispatch(.increase) }
    try history.resumeHere()
    #expect(counter.state == 3)
    history.jump(to: 1)
    try history.resumeHere()
    #expect(history.isLive)
    #expect(counter.state == 1 && observed.value == 1)
    counter.dispatch(.add(10))
    #expect(history.entries.map { $0.model[CounterStore.self] } == [0, 1, 2, 3, 1, 11])
    #expect(history.entries.map { $0.action == nil } == [true, false, false, false, true, false])
  }

  @Test("after resuming, what observers dispatch runs, although actions were ignored before")
  func reactions() throws {
    let history = LiveHistory(dispatcher, whilePresenting: .ignoring)
    counter.dispatch(.increase)
    counter.dispatch(.increase)
    let receipt = counter.observe(initial: false, \.self) { [counter] count in
      if count == 1 { counter.dispatch(.add(10)) }
    }
    history.back()
    #expect(counter.dispatch(.increase).result == .ignored)
    try history.resumeHere()
    #expect(counter.state == 11)
    receipt.cancel()
  }

  @Test("the oldest models are forgotten, by number or by bytes, and the shown one stays shown")
  func limits() {
    let history = LiveHistory(dispatcher, limit: .init(models: 3))
    for _ in 0..<3 { counter.dispatch(.increase) }
    history.back()
    #expect(history.index == 1)
    counter.dispatch(.increase)
    #expect(history.index == 0)
    #expect(history.entries.map { $0.model[CounterStore.self] } == [2, 3, 4])
    #expect(history.forward() && history.index == 1)

    let small = LiveHistory(dispatcher, limit: .init(models: 100, bytes: 3))
    for _ in 0..<7 { counter.dispatch(.increase) }
    #expect(small.entries.map { $0.model[CounterStore.self] } == [10, 11].suffix(1))
  }

  @Test("a shown model that was forgotten stays shown, and resuming continues in it")
  func forgotten() throws {
    let history = LiveHistory(dispatcher, limit: .init(models: 2))
    let observed = counter.observed { $0 }
    counter.dispatch(.increase)
    history.back()
    for _ in 0..<3 { counter.dispatch(.increase) }
    #expect(history.entries.map { $0.model[CounterStore.self] } == [3, 4])
    #expect(observed.value == 0 && history.index == 0 && !history.isLive)
    #expect(!history.back() && observed.value == 0)
    #expect(history.forward() && history.index == 0 && observed.value == 3)

    for _ in 0..<3 { counter.dispatch(.increase) }
    #expect(observed.value == 3)
    try history.resumeHere()
    #expect(counter.state == 3 && observed.value == 3 && history.isLive)
  }

  @Test("a released history ends, and the dispatcher goes on")
  func released() {
    var history: LiveHistory? = LiveHistory(dispatcher)
    weak let released = history
    history = nil
    #expect(released == nil)
    #expect(counter.dispatch(.increase).result == .changed)
  }

  @Test("moving away from a forgotten model may run code of the app", .hangLimit)
  func releasing() {
    let ended = Recorded<String>()
    let dispatcher = Dispatcher([CounterStore(), Ticket()])
    let tickets = dispatcher.store(Ticket.self)
    let history = LiveHistory(dispatcher, limit: .init(models: 2))
    tickets.dispatch(
      .open(
        Ticket.Token { [weak dispatcher] in
          dispatcher?.dispatch(CounterAction.increase)
          ended.append("ended")
        }))
    dispatcher.dispatch(CounterAction.increase)
    history.back()
    tickets.dispatch(.open(nil))
    for _ in 0..<3 { dispatcher.dispatch(CounterAction.increase) }
    #expect(ended.count == 0)
    dispatcher.endPresenting()
    #expect(history.forward())
    #expect(history.jump(to: history.entries.count - 1))
    #expect(ended.count == 1)
    #expect(dispatcher[CounterStore.self] == 5)
  }

  @Test("after concurrent moves, the views show the model of the history")
  func concurrentMoves() {
    let history = LiveHistory(dispatcher, whilePresenting: .ignoring)
    for _ in 0..<5 { counter.dispatch(.increase) }
    for _ in 0..<200 {
      onThreads(2) { [history] thread in
        if thread == 0 { history.back() } else { history.jump(to: 5) }
      }
      #expect(history.isLive == (counter.dispatch(.nothing).result == .unchanged))
    }
  }
}

/// Has a state that dispatches when it is released.
private struct Ticket: Store {
  enum Action: FluxCore.Action { case open(Token?) }

  final class Token: Codable, Equatable, Sendable {
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    init(from decoder: any Decoder) { onEnd = {} }

    deinit { onEnd() }

    func encode(to encoder: any Encoder) {}

    static func == (one: Token, other: Token) -> Bool { one === other }
  }

  struct Holder: Codable, Equatable, Sendable { var token: Token? }

  let id: StoreID = "ticket"
  let initialState = Holder()

  func reduce(_ holder: inout Holder, _ action: Action, _ step: inout Step) {
    guard case .open(let token) = action else { return }
    holder.token = token
  }
}
