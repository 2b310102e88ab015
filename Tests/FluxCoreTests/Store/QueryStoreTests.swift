import Foundation
import Testing

@testable import FluxCore

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
      shelf.state == [["a"], ["a", "b"], ["a", "b", "a"], ["b", "a"], ["a"]])
    withExtendedLifetime(third) {}
  }

  @Test("two instances have separate queries, in stores that appear in logs")
  func instances() {
    let dispatcher = Dispatcher([Shelf(id: "upper"), Shelf(id: "lower")])
    let receipt = dispatcher.store(Shelf.self, "lower").query("a")
    #expect(dispatcher[Shelf.self, "upper"] == [])
    #expect(dispatcher[Shelf.self, "lower"] == [["a"]])
    #expect(dispatcher.model.stores == ["upper", "upperQueries", "lower", "lowerQueries"])
    #expect(
      dispatcher.model.snapshot(of: "lowerQueries")?.value as? [OpenQuery<String>]
        == [OpenQuery(query: "a", number: 1)])
    withExtendedLifetime(receipt) {}
  }

  @Test("a receipt that is released inside a reducer closes its query after the step")
  func droppedInReducer() {
    let box = Box<Receipt>()
    let dispatcher = Dispatcher([Shelf(), CounterStore(onReduce: { _ in box.value = nil })])
    let shelf = dispatcher.store(Shelf.self)
    box.value = shelf.query("a")
    dispatcher.dispatch(CounterAction.increase)
    dispatcher.dispatch(Batch(nil, []))
    #expect(shelf.activeQueries == [])
    #expect(shelf.state == [["a"], []])
  }

  @Test("a query whose opening was refused does not close another one")
  func refusedOpening() {
    let dispatcher = Dispatcher([PickyShelf(), CounterStore()])
    let shelf = dispatcher.store(PickyShelf.self)
    let kept = shelf.query("a")
    let refused = Box<Receipt>()
    let observer = dispatcher.store(CounterStore.self).onChange { _ in
      refused.value = shelf.query("a")
    }
    dispatcher.dispatch(CounterAction.increase)
    refused.value = nil
    dispatcher.dispatch(Batch(nil, []))
    #expect(shelf.activeQueries == ["a"])
    withExtendedLifetime((kept, observer)) {}
  }

  @Test("the receipt of a refused query runs no step")
  func refusedReceipt() {
    let dispatcher = Dispatcher([PickyShelf()])
    let shelf = dispatcher.store(PickyShelf.self)
    let kept = shelf.query("a")
    shelf.query("b").cancel()
    _ = shelf.query("c")
    #expect(dispatcher.dispatch(Batch(nil, [])).step == 4)
    withExtendedLifetime(kept) {}
  }

  @Test("releasing a receipt under a lock of the app does not run observers there")
  func releasedUnderLock() {
    let dispatcher = Dispatcher([Shelf()])
    let shelf = dispatcher.store(Shelf.self)
    let lock = NSLock()
    let box = Box<Receipt>()
    box.value = shelf.query("a")
    let observer = shelf.onChange { _ in lock.withLock {} }
    lock.withLock { box.value = nil }
    dispatcher.dispatch(Batch(nil, []))
    #expect(shelf.activeQueries == [])
    withExtendedLifetime(observer) {}
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

/// Refuses a second query.
struct PickyShelf: QueryStore {
  let initialState = 0

  func reduce(_ count: inout Int, _ action: LogAction, _ step: inout Step) {}

  func queriesChanged(_ queries: [String], _ count: inout Int, _ step: inout Step) throws {
    guard queries.count < 2 else { throw Rejection("one at a time") }
    count = queries.count
  }
}

/// Keeps the queries of each call.
struct Shelf: QueryStore {
  var id: StoreID = "shelf"
  let initialState: [[String]] = []

  func reduce(_ calls: inout [[String]], _ action: Tick, _ step: inout Step) {}

  func queriesChanged(_ queries: [String], _ calls: inout [[String]], _ step: inout Step) {
    calls.append(queries)
  }
}
