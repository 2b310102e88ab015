import Foundation
import TestFixtures
import Testing

@testable import FluxCore

@Suite(.hangLimit) @MainActor struct PresentationTests {
  private let dispatcher = Dispatcher([CounterStore(), PagesStore()])
  private var counter: StoreHandle<CounterStore> { dispatcher.store(CounterStore.self) }

  @Test("views show the presented model, and everything else keeps the newest states")
  func viewsOnly() throws {
    let observed = counter.observed { $0 }
    let label = Label()
    counter.observe(for: label, { $0 }) { $0.text += "\($1) " }
    let changes = Recorded<Int>()
    let receipt = counter.observe({ $0 }) { changes.append($0) }
    let start = dispatcher.model
    counter.dispatch(.increase)
    try dispatcher.present(start)
    #expect(observed.value == 0)
    counter.dispatch(.increase)
    counter.dispatch(.increase)
    #expect(observed.value == 0)
    #expect(counter.state == 3)
    dispatcher.endPresenting()
    dispatcher.endPresenting()
    #expect(observed.value == 3)
    #expect(label.text == "0 1 0 3 ")
    #expect(changes.all == [0, 1, 2, 3])
    withExtendedLifetime(receipt) {}
  }

  @Test("a view that appears while a model is presented shows that model")
  func newView() throws {
    counter.dispatch(.increase)
    let model = dispatcher.model
    counter.dispatch(.increase)
    try dispatcher.present(model)
    let observed = counter.observed { $0 }
    #expect(observed.value == 1)
    let (first, silent) = (Label(), Label())
    counter.observe(for: first, { $0 }) { $0.text += "\($1) " }
    counter.observe(for: silent, initial: false, { $0 }) { $0.text += "\($1) " }
    #expect(first.text == "1 ")
    #expect(silent.text == "")
    dispatcher.endPresenting()
    #expect(observed.value == 2)
    #expect(first.text == "1 2 ")
    #expect(silent.text == "2 ")
  }

  @Test("of two concurrent calls, the later one decides whether actions are ignored")
  func concurrentCalls() {
    let engine = dispatcher.engine
    engine.presentation.present(dispatcher.model, ignoresActions: true) {
      // Another thread ends the presentation before this one gets the turn.
      dispatcher.endPresenting()
      engine.followPresentation()
    }
    #expect(counter.dispatch(.increase).result == .changed)
  }

  @Test("ignoring gives actions without a cause no step; queries catch up at the end")
  func ignoring() throws {
    let start = dispatcher.model
    let pages = dispatcher.store(PagesStore.self)
    let old = pages.query(1)
    try dispatcher.present(start, whilePresenting: .ignoring)
    #expect(counter.dispatch(.increase).result == .ignored)
    let receipt = pages.query(2)
    old.cancel()
    #expect(pages.state == [1])
    try dispatcher.present(start, whilePresenting: .ignoring)
    dispatcher.endPresenting()
    #expect(pages.state == [2])
    #expect(counter.state == 0)
    #expect(counter.dispatch(.increase).step == 3)
    withExtendedLifetime(receipt) {}
  }

  @Test("the actions of effects run while actions are ignored")
  func ignoringEffects() async throws {
    let gate = Gate()
    let dispatcher = Dispatcher([
      Worker { job in
        await gate.pass(job.name); return job.name
      }
    ])
    async let run = dispatcher.run(WorkAction.start(Job("a", .succeed)))
    await gate.arrival(of: "a")
    try dispatcher.present(dispatcher.model, whilePresenting: .ignoring)
    gate.open("a")
    _ = await run
    #expect(dispatcher[Worker.self] == ["a done"])
  }

  @Test("selections over several stores and bound properties show the presented model too")
  func modelSelectors() throws {
    let both = dispatcher.observed { "\($0[CounterStore.self]) \($0[PagesStore.self].count)" }
    let (label, model) = (Label(), BoundLabel())
    dispatcher.observe(for: label, initial: false, { $0[CounterStore.self] }) {
      $0.text += "\($1) "
    }
    counter.bind(\.count, of: model, to: { $0 })
    dispatcher.bind(\.double, of: model) { 2 * $0[CounterStore.self] }
    let start = dispatcher.model
    counter.dispatch(.increase)
    try dispatcher.present(start)
    counter.dispatch(.increase)
    #expect(both.value == "0 0")
    #expect((model.count, model.double) == (0, 0))
    dispatcher.endPresenting()
    #expect(both.value == "2 0")
    #expect((model.count, model.double) == (2, 4))
    #expect(label.text == "1 0 2 ")
    try dispatcher.restore(start)
    #expect(both.value == "0 0")
    #expect((model.count, model.double) == (0, 0))
  }

  @Test("ended observations leave the presentation")
  func removal() throws {
    let label = Label()
    counter.observe(for: label, { $0 }) { $0.text += "\($1) " }
    counter.observe(for: label, { $0 * 10 }) { $0.text += "\($1) " }
    let start = dispatcher.model
    counter.dispatch(.increase)
    try dispatcher.present(start)
    #expect(label.text == "0 0 10 0 ")
  }
}

@MainActor private final class BoundLabel {
  var count = -1
  var double = -1
}

private struct PagesStore: QueryStore {
  struct Nothing: Action {}

  let initialState: [Int] = []

  func reduce(_ pages: inout [Int], _ action: Nothing, _ step: inout Step) {}

  func queriesChanged(_ queries: [Int], _ pages: inout [Int], _ step: inout Step) {
    pages = queries
  }
}
