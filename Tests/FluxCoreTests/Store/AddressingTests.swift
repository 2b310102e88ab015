import FluxCore
import Testing

@Suite struct AddressingTests {
  @Test("an action for one instance skips the other one, and reactions see it")
  func target() {
    let dispatcher = Dispatcher([
      CounterStore(id: "left"), CounterStore(id: "right"), AllCounts(),
    ])
    dispatcher.store(CounterStore.self, "left").dispatch(.add(2))
    dispatcher.dispatch(CounterAction.add(3), to: "right")
    dispatcher.dispatch(CounterAction.add(10))
    #expect(dispatcher[CounterStore.self, "left"] == 12)
    #expect(dispatcher[CounterStore.self, "right"] == 13)
    #expect(dispatcher[AllCounts.self] == 3)
  }

  @Test("a store that reduces and reacts to one type does both, in that order")
  func both() {
    let dispatcher = Dispatcher([Both(id: "one"), Both(id: "other")])
    dispatcher.dispatch(LogAction.note("x"), to: "one")
    #expect(dispatcher[Both.self, "one"] == ["reduced x", "reacted x"])
    #expect(dispatcher[Both.self, "other"] == ["reacted x"])
  }

  @Test("a feature that is absent has no snapshot; a nil state of a plain store has one")
  func absence() {
    let dispatcher = Dispatcher([Door(), Maybe()])
    #expect(dispatcher.model.stores == ["door", "maybe"])
    #expect(dispatcher.model.snapshot(of: "door") == nil)
    #expect(dispatcher.model.snapshot(of: "maybe") != nil)
    #expect(dispatcher.model.snapshot(of: "window") == nil)
    dispatcher.dispatch(Door.Action.build)
    #expect(dispatcher.model.snapshot(of: "door")?.value as? Door.Phase == .closed)
  }

  @Test("a model is a value: it never changes")
  func modelIsValue() {
    let dispatcher = Dispatcher([CounterStore()])
    let before = dispatcher.model
    dispatcher.dispatch(CounterAction.increase)
    #expect(before[CounterStore.self] == 0)
    #expect(dispatcher.model[CounterStore.self] == 1)
  }
}

struct AllCounts: Projection {
  let initialState = 0
  var reactions: [Reaction<Int>] { [.on(CounterAction.self) { count, _, _ in count += 1 }] }
}

struct Both: Store {
  let id: StoreID
  let initialState: [String] = []

  func reduce(_ lines: inout [String], _ action: LogAction, _ step: inout Step) {
    if case .note(let line) = action { lines.append("reduced \(line)") }
  }

  var reactions: [Reaction<[String]>] {
    [
      .on(LogAction.self) { lines, action, _ in
        if case .note(let line) = action { lines.append("reacted \(line)") }
      }
    ]
  }
}

struct Maybe: Store {
  let initialState: Int? = nil
  func reduce(_ state: inout Int?, _ action: Tick, _ step: inout Step) {}
}

struct Door: Feature {
  enum Phase: StateValue { case closed, open(width: Int) }
  enum Action: FluxCore.Action { case build, open(Int), close, demolish }

  func reduce(_ door: inout Phase?, _ action: Action, _ step: inout Step) throws {
    switch (door, action) {
    case (nil, .build): door = .closed
    case (.some, .open(let width)): door = .open(width: width)
    case (.open, .close): door = .closed
    case (.some, .demolish): door = nil
    default: throw Rejection.impossible
    }
  }
}
