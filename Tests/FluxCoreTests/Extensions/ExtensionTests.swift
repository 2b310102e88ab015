import FluxCore
import Observation
import TestFixtures
import Testing

@Suite struct HistoryTests {
  @Test("undo and redo walk the changes; a new change clears redo")
  func walk() {
    var text = History("a")
    text.change { $0 += "b" }
    text.change { $0 += "c" }
    #expect(walk(&text) { $0.undo() } == "true ab")
    #expect(walk(&text) { $0.undo() } == "true a")
    #expect(walk(&text) { $0.undo() } == "false a")
    #expect(walk(&text) { $0.redo() } == "true ab")
    text.change { $0 += "!" }
    #expect(walk(&text) { $0.redo() } == "false ab!")
    #expect(text.past == ["a", "ab"])
  }

  private func walk(
    _ text: inout History<String>, _ move: (inout History<String>) -> Bool
  ) -> String {
    let moved = move(&text)
    return "\(moved) \(text.present)"
  }

  @Test(
    "a change to the same is none, one that throws leaves the value, and old ones are forgotten")
  func edges() {
    var number = History(0, limit: 2)
    number.change { $0 = 0 }
    #expect(number.past == [])
    #expect(throws: CounterFailure.self) {
      try number.change { value throws(CounterFailure) in
        value = 9
        throw CounterFailure()
      }
    }
    #expect(number.present == 0 && number.past == [])
    for value in 1...5 { number.change { $0 = value } }
    #expect(number.past == [3, 4])
    var forgetful = History(0, limit: -1)
    forgetful.change { $0 = 1 }
    let undone = forgetful.undo()
    #expect(!undone)
  }
}

@Suite struct ChildTests {
  struct Root: Projection {
    struct State: StateValue {
      var left = 0
      var right = 0
    }
    let initialState = State()
    var reactions: [Reaction<State>] { [.child(\.left, CounterStore())] }
  }

  @Test("a child handles its actions in its place, and is observed there")
  func child() {
    let dispatcher = Dispatcher([Root()])
    let root = dispatcher.store(Root.self)
    let left = root.child(\.left)
    let seen = Recorded<Int>()
    let receipt = left.observe({ $0 }) { seen.append($0) }
    dispatcher.dispatch(CounterAction.add(4))
    #expect(left.state == 4)
    #expect(root.left == 4)
    #expect(root.right == 0)
    #expect(seen.all == [0, 4])
    #expect(dispatcher.dispatch(CounterAction.refuse("no")).rejection?.store == "root")
    withExtendedLifetime(receipt) {}
  }

  struct House: Projection {
    struct State: StateValue { var door: Door.Phase? }
    let initialState = State()
    var reactions: [Reaction<State>] { [.child(\.door, Door())] }
  }

  @Test("the phase of a feature in a state is named where its action is impossible")
  func impossible() {
    let dispatcher = Dispatcher([House()])
    let absent = dispatcher.dispatch(Door.Action.close).rejection
    #expect(absent?.description == "house: door/close is impossible in absent")
    dispatcher.dispatch(Door.Action.build)
    let closed = dispatcher.dispatch(Door.Action.build).rejection
    #expect(closed?.description == "house: door/build is impossible in closed")
  }
}

@Suite struct BindingTests {
  @Test("a write is an action, and the value is the state's")
  func binding() {
    let dispatcher = Dispatcher([CounterStore()])
    let envelopes = Recorded<String>()
    dispatcher.use(
      Dispatching {
        envelopes.append("\($0.action) to \($0.target?.rawValue ?? "-") at \($0.source)")
      })
    let binding = dispatcher.store(CounterStore.self).binding({ $0 }, CounterAction.set)
    let line = #line - 1
    binding.value = 5
    #expect(binding.value == 5)
    #expect(envelopes.all == ["set(5) to counter at FluxCoreTests/ExtensionTests.swift:\(line)"])
  }
}

@Suite(.hangLimit) struct SequenceTests {
  @Test("states are the current one, then each new one")
  func states() async {
    let dispatcher = Dispatcher([CounterStore()])
    let states = dispatcher.store(CounterStore.self).states()
    for _ in 0..<3 { dispatcher.dispatch(CounterAction.increase) }
    var seen: [Int] = []
    for await state in states {
      seen.append(state)
      if state == 3 { break }
    }
    #expect(seen == [0, 1, 2, 3])
  }

  @Test("both sequences end with their dispatcher")
  func end() async {
    var dispatcher: Dispatcher? = Dispatcher([CounterStore()])
    let states = dispatcher?.store(CounterStore.self).states()
    let outcomes = dispatcher?.outcomes()
    dispatcher?.dispatch(CounterAction.increase)
    dispatcher = nil
    var seen: [Int] = []
    if let states { for await state in states { seen.append(state) } }
    if let outcomes { for await _ in outcomes { seen.append(100) } }
    #expect(seen == [0, 1, 100])
  }

  @Test("outcomes report rejections with store, reason and message, and end with their reader")
  func outcomes() async {
    let dispatcher = Dispatcher([CounterStore()])
    let task = Task {
      var seen: [String] = []
      for await report in dispatcher.outcomes() {
        seen.append(
          "\(report.outcome.result) \(report.changed) \(report.outcome.rejection?.description ?? "")"
        )
        if seen.count == 2 { break }
      }
      return seen
    }
    // The reader begins at some step: it sees an odd and an even one from there.
    let writer = Task {
      while !Task.isCancelled {
        dispatcher.dispatch(Batch([CounterAction.increase]))
        dispatcher.dispatch(CounterAction.refuse("no"))
        await Task.yield()
      }
    }
    let seen = await task.value
    writer.cancel()
    #expect(Set(seen) == ["changed [counter] ", "rejected [] counter: no"])
  }
}

@MainActor @Suite struct ObservedTests {
  @Test("a view that reads an observed value is notified when it changes")
  func observed() {
    let dispatcher = Dispatcher([CounterStore()])
    let count = dispatcher.store(CounterStore.self).observed { $0 * 10 }
    let told = Recorded<Bool>()
    let first = withObservationTracking {
      count.value
    } onChange: {
      told.append(true)
    }
    #expect(first == 0)
    dispatcher.dispatch(CounterAction.nothing)
    #expect(told.count == 0)
    dispatcher.dispatch(CounterAction.increase)
    #expect(told.count == 1)
    #expect(count.value == 10)
  }
}
