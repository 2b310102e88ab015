import Foundation
import Testing

@testable import FluxCore

@Suite("Observers of several stores") struct ModelObserverTests {
  private let dispatcher = Dispatcher(["a", "b", "c"].map { CounterStore(id: $0) })

  private func set(_ store: StoreID, _ value: Int) {
    dispatcher.dispatch(CounterAction.set(value), to: store)
  }

  @Test("a selector over two stores runs only after steps that change one of them")
  func touched() {
    let (runs, seen) = (Recorded<Int>(), Recorded<Int>())
    let receipt = dispatcher.observe { model in
      let sum = model[CounterStore.self, "a"] + model[CounterStore.self, "b"]
      runs.append(sum)
      return sum
    } _: { sum in
      seen.append(sum)
    }
    set("c", 9)
    set("a", 1)
    set("b", 2)
    dispatcher.dispatch(CounterAction.nothing)
    set("a", 1)
    #expect(runs.all == [0, 1, 3])
    #expect(seen.all == [0, 1, 3])
    withExtendedLifetime(receipt) {}
  }

  @Test("a step that changes several of its stores runs a selector once, and it sees them all")
  func onceAStep() {
    let seen = Recorded<[Int]>()
    let receipt = dispatcher.observe(initial: false) { model in
      ["a", "b", "c"].map { model[CounterStore.self, $0] }
    } _: {
      seen.append($0)
    }
    dispatcher.dispatch(CounterAction.increase)
    #expect(seen.all == [[1, 1, 1]])
    withExtendedLifetime(receipt) {}
  }

  @Test(
    "it calls back only if its value changed, and with the present value first if that is wanted")
  func onlyChanges() {
    let (all, later) = (Recorded<Bool>(), Recorded<Bool>())
    let receipts = [
      dispatcher.observe({ $0[CounterStore.self, "a"] > 1 }, { all.append($0) }),
      dispatcher.observe(initial: false, { $0[CounterStore.self, "a"] > 1 }, { later.append($0) }),
    ]
    for value in [1, 2, 3, 0] { set("a", value) }
    #expect(all.all == [false, true, false])
    #expect(later.all == [true, false])
    withExtendedLifetime(receipts) {}
  }

  @Test("the stores of its last run decide when a selector runs again")
  func conditionalReads() {
    let runs = Recorded<Int>()
    let receipt = dispatcher.observe(initial: false) { model in
      let isB = model[CounterStore.self, "a"] == 1
      let value = isB ? model[CounterStore.self, "b"] : model[CounterStore.self, "c"]
      runs.append(value)
      return value
    } _: { _ in
    }
    set("b", 10)
    set("c", 20)
    set("a", 1)
    set("c", 21)
    set("b", 11)
    set("a", 2)
    set("b", 12)
    set("c", 22)
    #expect(runs.all == [0, 20, 10, 11, 21, 22])
    withExtendedLifetime(receipt) {}
  }

  @Test("an observer that begins to read another store keeps its place in the order")
  func order() {
    let seen = Recorded<String>()
    let b = dispatcher.store(CounterStore.self, "b")
    let receipts = [
      b.onChange { _ in seen.append("1") },
      dispatcher.observe(initial: false) { model in
        model[CounterStore.self, "a"] == 0 ? 0 : model[CounterStore.self, "b"]
      } _: { value in
        seen.append("2: \(value)")
      },
      b.onChange { _ in seen.append("3") },
      dispatcher.observe(
        initial: false, { $0[CounterStore.self, "b"] }, { seen.append("4: \($0)") }),
    ]
    set("b", 5)
    set("a", 1)
    set("b", 6)
    #expect(seen.all == ["1", "3", "4: 5", "2: 5", "1", "2: 6", "3", "4: 6"])
    withExtendedLifetime(receipts) {}
  }

  @Test("a receipt cancelled in the pass gets nothing more, and nothing of it stays registered")
  func cancelledMidPass() {
    let seen = Recorded<String>()
    let later = Box<Receipt>()
    let first = dispatcher.observe(initial: false) {
      $0[CounterStore.self, "a"]
    } _: { _ in
      seen.append("first")
      later.value?.cancel()
    }
    later.value = dispatcher.observe(initial: false) { model in
      model[CounterStore.self, "a"] + model[CounterStore.self, "b"]
    } _: { _ in
      seen.append("second")
    }
    set("a", 1)
    set("b", 1)
    #expect(seen.all == ["first"])
    #expect(dispatcher.engine.observers.value.observers(of: [0, 1, 2]).count == 1)
    withExtendedLifetime(first) {}
  }

  @Test("an observer that cancels itself while its selector moves to another store stays away")
  func cancelledWhileMoving() {
    let receipt = Box<Receipt>()
    let seen = Recorded<Int>()
    receipt.value = dispatcher.observe(initial: false) { model in
      model[CounterStore.self, "a"] == 0 ? 0 : model[CounterStore.self, "b"]
    } _: { value in
      seen.append(value)
      receipt.value?.cancel()
    }
    set("b", 4)
    set("a", 1)
    set("b", 5)
    #expect(seen.all == [4])
    #expect(dispatcher.engine.observers.value.observers(of: [0, 1, 2]).isEmpty)
  }

  @Test("reads through a handle or a model are not tracked")
  func untracked() {
    let seen = Recorded<Int>()
    let b = dispatcher.store(CounterStore.self, "b")
    let receipt = dispatcher.observe(initial: false) { model in
      model[CounterStore.self, "a"] + b.state
    } _: {
      seen.append($0)
    }
    set("b", 1)
    set("a", 1)
    #expect(seen.all == [2])
    withExtendedLifetime(receipt) {}
  }

  @Test("a selector that reads nothing calls back once")
  func readsNothing() {
    let seen = Recorded<Int>()
    let receipt = dispatcher.observe({ _ in 7 }, { seen.append($0) })
    set("a", 1)
    #expect(seen.all == [7])
    #expect(dispatcher.engine.observers.value.observers(of: [0, 1, 2]).isEmpty)
    withExtendedLifetime(receipt) {}
  }

  @Test("the consequences of the first call arrive after that call")
  func firstCallComesFirst() {
    let seen = Recorded<Int>()
    let dispatcher = dispatcher
    let receipt = dispatcher.observe({ $0[CounterStore.self, "a"] }) { value in
      if value == 0 { dispatcher.dispatch(CounterAction.set(9), to: "a") }
      seen.append(value)
    }
    #expect(seen.all == [0, 9])
    withExtendedLifetime(receipt) {}
  }

  @Test("a selector that another thread outruns at registration misses nothing and repeats nothing")
  func concurrentRegistration() {
    let dispatcher = dispatcher
    onThreads(2) { thread in
      if thread == 0 {
        for step in 0..<3_000 {
          dispatcher.dispatch(CounterAction.increase, to: step % 2 == 0 ? "a" : "b")
        }
        return
      }
      for _ in 0..<300 {
        let seen = Recorded<Int>()
        let receipt = dispatcher.observe { model in
          // One store or the other, so that its place changes all the time.
          let a = model[CounterStore.self, "a"]
          return a.isMultiple(of: 2) ? a : a + model[CounterStore.self, "b"] * 0
        } _: {
          seen.append($0)
        }
        receipt.cancel()
        let values = seen.all
        #expect(!values.isEmpty)
        #expect(zip(values, values.dropFirst()).allSatisfy { $1 == $0 + 1 })
      }
    }
    #expect(dispatcher.engine.observers.value.observers(of: [0, 1, 2]).isEmpty)
  }

  @Test("a dispatcher with more than 64 stores finds the ones that a selector reads")
  func manyStores() {
    let dispatcher = Dispatcher((0..<200).map { CounterStore(id: StoreID("store\($0)")) })
    let seen = Recorded<[Int]>()
    let receipt = dispatcher.observe(initial: false) { model in
      [0, 63, 64, 130, 199].map { model[CounterStore.self, StoreID("store\($0)")] }
    } _: {
      seen.append($0)
    }
    for store in [1, 199, 65, 64, 128, 63] {
      dispatcher.dispatch(CounterAction.increase, to: "store\(store)")
    }
    #expect(seen.all == [[0, 0, 0, 0, 1], [0, 0, 1, 0, 1], [0, 1, 1, 0, 1]])
    withExtendedLifetime(receipt) {}
  }

  @Test("releasing a receipt releases the captures, outside any lock")
  func release() {
    let dispatcher = dispatcher
    var receipt: Receipt? = {
      let goodbye = Goodbye { dispatcher.dispatch(CounterAction.add(100), to: "a") }
      return dispatcher.observe({ model in
        withExtendedLifetime(goodbye) { model[CounterStore.self, "a"] }
      }) { _ in }
    }()
    #expect(receipt != nil)
    receipt = nil
    #expect(dispatcher[CounterStore.self, "a"] == 100)
  }
}

@Suite("Owners that observe several stores") @MainActor struct ModelOwnerTests {
  private let dispatcher = Dispatcher([CounterStore(), TallyStore()])

  @Test("one observation of the model per owner, beside those of stores, held weakly")
  func owner() {
    var view: View? = View()
    let log = Recorded<String>()
    if let view {
      dispatcher.observe(for: view, { $0[CounterStore.self] }) { log.append("replaced \($1)") }
      dispatcher.observe(for: view, { "\($0[CounterStore.self])/\($0[TallyStore.self].count)" }) {
        log.append("model \($1)")
      }
      dispatcher.store(CounterStore.self).observe(for: view, { $0 }) { log.append("store \($1)") }
    }
    dispatcher.dispatch(CounterAction.increase)
    weak let reference = view
    view = nil
    #expect(reference == nil)
    dispatcher.dispatch(CounterAction.increase)
    #expect(log.all == ["replaced 0", "model 0/0", "store 0", "model 1/1", "store 1"])
    #expect(dispatcher.engine.observers.value.observers(of: [0, 1]).isEmpty)
  }

  @Test("values from other threads reach an owner on the main actor, all and in order")
  func otherThread() async {
    let view = View()
    let dispatcher = dispatcher
    await withCheckedContinuation { continuation in
      dispatcher.observe(for: view, { $0[CounterStore.self] + $0[TallyStore.self].count }) {
        $0.values.append($1)
        if $1 == 100 { continuation.resume() }
      }
      let thread = Thread { for _ in 0..<50 { dispatcher.dispatch(CounterAction.increase) } }
      thread.start()
    }
    #expect(view.values == Array(stride(from: 0, through: 100, by: 2)))
  }
}
