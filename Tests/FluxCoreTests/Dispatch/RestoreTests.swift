import Foundation
import TestFixtures
import Testing

@testable import FluxCore

@Suite(.hangLimit) struct RestoreTests {
  @Test("observers see one pass after middleware, with the last step and no action")
  func sequence() throws {
    let dispatcher = Dispatcher([CounterStore(), TallyStore(), WordStore()])
    let seen = Recorded<String>()
    dispatcher.use(
      Spy(
        stepped: { seen.append("step \($0.step)") },
        restored: {
          seen.append(
            "restored \($0.step.map(String.init) ?? "-"), next \($0.nextStep), "
              + "\($0.changed.map(\.rawValue)), counter \($0.model[CounterStore.self])")
        }))
    let counter = dispatcher.store(CounterStore.self)
    let receipts = [
      counter.onChange {
        seen.append("\($0.step) \($0.old) -> \($0.new) by \($0.action.map { "\($0)" } ?? "nobody")")
      },
      counter.observe({ $0 > 1 }) { seen.append("large: \($0)") },
      dispatcher.store(WordStore.self).onChange { _ in seen.append("word changed") },
    ]
    counter.dispatch(.increase)
    let model = dispatcher.model
    counter.dispatch(.increase)
    counter.dispatch(.nothing)
    try dispatcher.restore(model)
    counter.dispatch(.add(5))
    #expect(
      seen.all == [
        "large: false",
        "step 1", "1 0 -> 1 by increase",
        "step 2", "2 1 -> 2 by increase", "large: true",
        "step 3",
        "restored 1, next 4, [\"counter\", \"tally\"], counter 1", "3 2 -> 1 by nobody",
        "large: false",
        "step 4", "4 1 -> 6 by add(5)", "large: true",
      ])
    #expect(dispatcher[TallyStore.self] == ["counter is 1", "counter is 6"])
    withExtendedLifetime(receipts) {}
  }

  @Test("a model knows the step after which it was; after a restore, that of the restored model")
  func steps() throws {
    let dispatcher = Dispatcher([CounterStore()])
    let start = dispatcher.model
    dispatcher.dispatch(CounterAction.increase)
    dispatcher.dispatch(CounterAction.nothing)
    #expect(start.step == 0)
    #expect(dispatcher.model.step == 1)
    try dispatcher.restore(start)
    #expect(dispatcher.model.step == 0)
    #expect(dispatcher.dispatch(CounterAction.increase).step == 3)
    let foreign = Dispatcher([CounterStore(initialState: 9)]).model
    try dispatcher.restore(foreign)
    #expect(dispatcher.model.step == nil)
    #expect(dispatcher[CounterStore.self] == 9)
  }

  @Test("inside a step, it waits for the follow-ups, whose own follow-ups are dropped")
  func nested() throws {
    let box = Box<Model>()
    let dispatcher = Dispatcher([CounterStore(), ChainStore()])
    box.value = dispatcher.model
    let receipt = dispatcher.store(ChainStore.self).onChange { change in
      guard change.new == ["1"] else { return }
      do { try dispatcher.restore(box.value ?? dispatcher.model) } catch { Issue.record(error) }
    }
    let seen = Recorded<String>()
    dispatcher.use(
      Spy(
        stepped: { seen.append("\($0.action) after \($0.cause ?? 0)") },
        restored: { seen.append("restored \($0.step ?? 99)") }))
    dispatcher.dispatch(ChainStore.Link(depth: 1))
    #expect(
      seen.all == [
        "Link(depth: 1) after 0", "Link(depth: 2) after 1", "restored 0",
      ])
    #expect(dispatcher[ChainStore.self] == [])
    withExtendedLifetime(receipt) {}
  }

  @Test("dropped actions report that they were ignored, and end the runs that wait for them")
  func droppedRuns() async throws {
    let dispatcher = Dispatcher([CounterStore(), ChainStore()])
    let model = dispatcher.model
    let outcomes = Recorded<Outcome.Result>()
    let receipt = dispatcher.store(ChainStore.self).onChange { change in
      guard change.new == ["1"] else { return }
      do { try dispatcher.restore(model) } catch { Issue.record(error) }
      dispatcher.enqueue(CounterAction.increase) { outcomes.append($0.result) }
    }
    await dispatcher.run(ChainStore.Link(depth: 1))
    // It was queued behind the restore, which is queued again behind it.
    #expect(outcomes.all == [.changed])
    #expect(dispatcher[CounterStore.self] == 0)
    withExtendedLifetime(receipt) {}
  }

  @Test("what observers dispatch has no cause")
  func observersDispatch() throws {
    let dispatcher = Dispatcher([CounterStore(), WordStore()])
    let start = dispatcher.model
    dispatcher.dispatch(CounterAction.increase)
    let seen = Recorded<String>()
    dispatcher.use(
      Spy(stepped: { seen.append("\($0.step) \($0.action) \($0.cause ?? 0) \($0.isFromObserver)") })
    )
    let receipt = dispatcher.store(CounterStore.self).onChange { _ in
      dispatcher.dispatch(WordAction.say("hello"))
    }
    try dispatcher.restore(start)
    #expect(seen.all == ["2 say(\"hello\") 0 false"])
    withExtendedLifetime(receipt) {}
  }

  @Test("a dispatcher refuses other stores, other state types, and to restore outside of live mode")
  func refusals() {
    let dispatcher = Dispatcher([CounterStore()])
    #expect(
      throws: RestoreError.differentStores(expected: ["counter"], found: ["counter", "word"])
    ) { try dispatcher.restore(Dispatcher([CounterStore(), WordStore()]).model) }
    #expect(throws: RestoreError.differentStateType(store: "counter")) {
      try dispatcher.restore(Dispatcher([WordStore(id: "counter")]).model)
    }
    #expect(throws: RestoreError.differentStateType(store: "counter")) {
      try dispatcher.present(Dispatcher([WordStore(id: "counter")]).model)
    }
    let replaying = Dispatcher([CounterStore()], mode: .replay)
    #expect(throws: RestoreError.notLive(.replay)) { try replaying.restore(replaying.model) }
    #expect(
      RestoreError.notLive(.replay).description
        == "the dispatcher is in mode replay; only a live one can be set to another model")
    #expect(
      RestoreError.differentStores(expected: ["a", "b"], found: ["c"]).description == """
        the model has the stores c, expected a, b; restore a model of this dispatcher or of one \
        with the same stores
        """)
    #expect(
      RestoreError.differentStateType(store: "a").description == """
        the state of a has another type in the model; restore a model of this dispatcher or of \
        one with the same stores
        """)
  }

  @Test("queries follow their receipts: opened since, closed since, and the same")
  func queries() throws {
    let dispatcher = Dispatcher([QueryShelf(), CounterStore()])
    let shelf = dispatcher.store(QueryShelf.self)
    let kept = shelf.query("kept")
    let closed = shelf.query("closed")
    let model = dispatcher.model
    closed.cancel()
    let opened = shelf.query("opened")
    let seen = Recorded<String>()
    dispatcher.use(
      Spy(
        stepped: { seen.append("\($0.name) \($0.cause ?? 0) \($0.source.line)") },
        restored: { _ in seen.append("restored") }))
    try dispatcher.restore(model)
    #expect(shelf.activeQueries == ["kept", "opened"])
    #expect(shelf.state == ["kept", "opened"])
    #expect(seen.all == ["restored", "queryShelfQueries/reset 0 0"])
    try dispatcher.restore(dispatcher.model)
    #expect(seen.all.count == 3)
    opened.cancel()
    #expect(shelf.activeQueries == ["kept"])
    withExtendedLifetime(kept) {}
  }

  @Test("a query that the store rejects does not keep the others closed")
  func rejectedQuery() throws {
    let dispatcher = Dispatcher([QueryShelf(), CounterStore()])
    let shelf = dispatcher.store(QueryShelf.self)
    let start = dispatcher.model
    let opened = shelf.query("opened")
    let seen = Recorded<String>()
    dispatcher.use(Spy(stepped: { seen.append($0.name) }))
    // Nobody knows yet that the store rejects it.
    try dispatcher.present(start, whilePresenting: .ignoring)
    let (rejected, later) = (shelf.query("rejected"), shelf.query("later"))
    dispatcher.endPresenting()
    #expect(shelf.activeQueries == ["opened", "later"])
    #expect(shelf.state == ["opened", "later"])
    let (reset, opening) = ("queryShelfQueries/reset", "queryShelfQueries/opened")
    #expect(seen.all == [reset, opening, opening])
    try dispatcher.restore(start)
    #expect(shelf.activeQueries == ["opened", "later"])
    #expect(seen.all.dropFirst(3) == [reset])
    withExtendedLifetime((opened, rejected, later)) {}
  }

  @Test(
    "a selection over several stores runs once, and follows what it reads in the restored model")
  func modelSelectors() throws {
    let dispatcher = Dispatcher([CounterStore(), WordStore()])
    let start = dispatcher.model
    let seen = Recorded<String>()
    let receipt = dispatcher.observe { model in
      model[CounterStore.self] > 0 ? model[WordStore.self] : "no counter"
    } _: {
      seen.append($0)
    }
    dispatcher.dispatch(WordAction.say("a"))
    dispatcher.dispatch(CounterAction.increase)
    try dispatcher.restore(start)
    dispatcher.dispatch(WordAction.say("b"))
    dispatcher.dispatch(CounterAction.increase)
    #expect(seen.all == ["no counter", "a", "no counter", "b"])
    withExtendedLifetime(receipt) {}
  }

  @Test("restores and dispatches of eight threads keep one order", .hangLimit)
  func contention() throws {
    let dispatcher = Dispatcher([CounterStore()])
    let start = dispatcher.model
    let receipt = dispatcher.store(CounterStore.self).onChange { change in
      if change.new % 10 == 0 { dispatcher.dispatch(CounterAction.nothing) }
    }
    onThreads(8) { thread in
      for _ in 0..<200 {
        if thread < 2 {
          do { try dispatcher.restore(start) } catch { Issue.record(error) }
        } else {
          dispatcher.dispatch(CounterAction.increase)
        }
      }
    }
    try dispatcher.restore(start)
    #expect(dispatcher[CounterStore.self] == 0)
    #expect(dispatcher.dispatch(CounterAction.increase).result == .changed)
    withExtendedLifetime(receipt) {}
  }
}

// MARK: Stores

enum WordAction: Action, Equatable { case say(String) }

struct WordStore: Store {
  var id: StoreID = "word"
  let initialState = ""

  func reduce(_ word: inout String, _ action: WordAction, _ step: inout Step) {
    if case .say(let text) = action { word = text }
  }
}

/// Each link dispatches the next one, up to the fourth.
private struct ChainStore: Store {
  struct Link: Action { var depth: Int }

  let initialState: [String] = []

  func reduce(_ links: inout [String], _ action: Link, _ step: inout Step) {
    links.append("\(action.depth)")
    if action.depth < 4 { step.dispatch(Link(depth: action.depth + 1)) }
  }
}

private struct QueryShelf: QueryStore {
  struct Nothing: Action {}

  let initialState: [String] = []

  func reduce(_ open: inout [String], _ action: Nothing, _ step: inout Step) {}

  func queriesChanged(_ queries: [String], _ open: inout [String], _ step: inout Step) throws {
    if queries.contains("rejected") { throw Rejection("it is too long") }
    open = queries
  }
}

/// Calls closures for steps and restored models.
struct Spy: Middleware {
  var stepped: @Sendable (Envelope) -> Void = { _ in }
  var restored: @Sendable (Restoration) -> Void = { _ in }

  func didDispatch(_ step: CompletedStep) { stepped(step.envelope) }

  func didRestore(_ restoration: Restoration) { restored(restoration) }
}
