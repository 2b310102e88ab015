import FluxCore
import Testing

@Suite("Rule 3: stores run in order, and a store that reads another waits for it")
struct ReadingStoresTests {
  @Test("a reader that comes first sees the state after the step")
  func readerFirst() {
    let dispatcher = Dispatcher([TallyStore(), CounterStore()])
    dispatcher.dispatch(CounterAction.add(7))
    #expect(dispatcher[TallyStore.self] == ["counter is 7"])
  }

  @Test("a chain of readers runs from its end, each store once")
  func chain() {
    let dispatcher = Dispatcher([
      Adder(id: "c", reads: "b"), Adder(id: "b", reads: "a"), Adder(id: "a", reads: nil),
    ])
    dispatcher.dispatch(Tick())
    #expect(dispatcher[Adder.self, "a"] == [1])
    #expect(dispatcher[Adder.self, "b"] == [1, 1])
    #expect(dispatcher[Adder.self, "c"] == [1, 1, 1])
  }

  @Test("a circle is a rejection that names both stores, and the queue continues")
  func circle() {
    let dispatcher = Dispatcher([Adder(id: "a", reads: "b"), Adder(id: "b", reads: "a")])
    let outcome = dispatcher.dispatch(Tick())
    #expect(outcome.rejection?.reason == .circularRead)
    #expect(outcome.rejection?.store == "b")
    #expect(
      outcome.rejection?.message
        == "b reads a, which waits for b in the same step; "
        + "remove one of the two reads")
    #expect(dispatcher[Adder.self, "a"] == [])
    #expect(dispatcher[Adder.self, "b"] == [])
  }

  @Test("reading oneself, a missing store, or one of several is a rejection")
  func unreadable() {
    let itself = Dispatcher([Adder(id: "a", reads: "a")]).dispatch(Tick())
    #expect(
      itself.rejection?.message == "a reads itself; use the state that was passed to the reducer")
    let missing = Dispatcher([Adder(id: "a", reads: "z")]).dispatch(Tick())
    #expect(missing.rejection?.reason == .unknownStore)
    #expect(missing.rejection?.message == "there is no Adder with the id \"z\"; the stores are a")
    let ambiguous = Dispatcher([
      Adder(id: "a", reads: nil), Adder(id: "b", reads: nil), AnyAdderReader(),
    ]).dispatch(Tick())
    #expect(
      ambiguous.rejection?.message
        == "there are several stores of type Adder; pass one of the ids a, b")
  }

  @Test("a circle that a reducer catches still rejects the step, and no store runs twice")
  func swallowedCircle() {
    let dispatcher = Dispatcher([Careless(id: "a", reads: "b"), Careless(id: "b", reads: "a")])
    let outcome = dispatcher.dispatch(Tick())
    #expect(outcome.rejection?.reason == .circularRead)
    #expect(outcome.followUps.isEmpty)
    #expect(dispatcher[Careless.self, "a"] == 0)
    #expect(dispatcher[Careless.self, "b"] == 0)
  }

  @Test("a store that swallows the rejection of the store it reads is still rejected")
  func swallowed() {
    let dispatcher = Dispatcher([Swallower(), CounterStore()])
    #expect(dispatcher.dispatch(CounterAction.refuse("no")).rejection?.message == "no")
    #expect(dispatcher[Swallower.self] == 0)
  }
}

struct Tick: Action {}

/// Appends 1 to the new state of another store.
struct Adder: Store {
  let id: StoreID
  let reads: StoreID?
  let initialState: [Int] = []

  func reduce(_ numbers: inout [Int], _ action: Tick, _ step: inout Step) throws {
    numbers = (try reads.map { try step[Adder.self, $0] } ?? []) + [1]
  }
}

/// Reads another store and ignores a failure.
struct Careless: Store {
  let id: StoreID
  let reads: StoreID
  let initialState = 0

  func reduce(_ count: inout Int, _ action: Tick, _ step: inout Step) {
    step.dispatch(LogAction.note("follow-up"))
    count += 1
    do {
      count += try step[Careless.self, reads]
    } catch {
      count += 100
    }
  }
}

struct AnyAdderReader: Projection {
  let initialState = 0
  var reactions: [Reaction<Int>] {
    [.on(Tick.self) { sum, _, step in sum = try step[Adder.self].count }]
  }
}

struct Swallower: Projection {
  let initialState = 0
  var reactions: [Reaction<Int>] {
    [
      .on(CounterAction.self) { value, _, step in
        do {
          value = try step[CounterStore.self]
        } catch {
          value = -1
        }
      }
    ]
  }
}
