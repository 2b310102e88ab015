import FluxCore
import Testing

@Suite struct QueryStoreTests {
  @Test("opening and closing are steps that call queriesChanged with all open queries, in order")
  func openAndClose() {
    let dispatcher = Dispatcher([Shelf()])
    let shelf = dispatcher.store(Shelf.self)
    var first: Receipt? = shelf.query("a")
    let second = shelf.query("b")
    let third = shelf.query("a")
    #expect(shelf.activeQueries == ["a", "b", "a"])
    first?.cancel()
    first = nil
    second.cancel()
    second.cancel()
    #expect(shelf.activeQueries == ["a"])
    #expect(
      shelf.state == [["a"], ["a", "b"], ["a", "b", "a"], ["a", "b"], ["a"]])
    withExtendedLifetime(third) {}
  }

  @Test("two instances have queries of their own, as stores that a log can show")
  func instances() {
    let dispatcher = Dispatcher([Shelf(id: "upper"), Shelf(id: "lower")])
    let receipt = dispatcher.store(Shelf.self, "lower").query("a")
    #expect(dispatcher[Shelf.self, "upper"] == [])
    #expect(dispatcher[Shelf.self, "lower"] == [["a"]])
    #expect(dispatcher.model.stores == ["upper", "upperQueries", "lower", "lowerQueries"])
    #expect(dispatcher.model.snapshot(of: "lowerQueries")?.value as? [String] == ["a"])
    withExtendedLifetime(receipt) {}
  }

  @Test("a receipt that is let go inside a reducer closes its query after the step")
  func droppedInReducer() {
    let box = Box<Receipt>()
    let dispatcher = Dispatcher([Shelf(), CounterStore(onReduce: { _ in box.value = nil })])
    let shelf = dispatcher.store(Shelf.self)
    box.value = shelf.query("a")
    dispatcher.dispatch(CounterAction.increase)
    #expect(shelf.activeQueries == [])
    #expect(shelf.state == [["a"], []])
  }

  @Test("the recorded actions rebuild the queries")
  func replayed() {
    let live = Dispatcher([Shelf()])
    let actions = Recorded<Envelope>()
    live.use(Dispatching { actions.append($0) })
    let receipt = live.store(Shelf.self).query("a")
    live.store(Shelf.self).query("b").cancel()
    let replay = Dispatcher([Shelf()], mode: .replay)
    for envelope in actions.all {
      func open(_ action: some Action) {
        replay.replay(action, to: envelope.target, step: envelope.step, at: envelope.time)
      }
      open(envelope.action)
    }
    #expect(
      actions.all.map { type(of: $0.action).kind } == Array(repeating: "shelfQueries", count: 3))
    #expect(replay.store(Shelf.self).activeQueries == ["a"])
    #expect(replay[Shelf.self] == live[Shelf.self])
    withExtendedLifetime(receipt) {}
  }
}

/// Remembers what it was told.
struct Shelf: QueryStore {
  var id: StoreID = "shelf"
  let initialState: [[String]] = []

  func reduce(_ calls: inout [[String]], _ action: Tick, _ step: inout Step) {}

  func queriesChanged(_ queries: [String], _ calls: inout [[String]], _ step: inout Step) {
    calls.append(queries)
  }
}
