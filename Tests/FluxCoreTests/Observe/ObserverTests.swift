import FluxCore
import Foundation
import Testing

@Suite("Rules 3 to 5: observers") struct ObserverTests {
  @Test("observers run in order of registration, across stores and within one step")
  func order() {
    let dispatcher = Dispatcher([CounterStore(), Chain()])
    let seen = Recorded<String>()
    let counter = dispatcher.store(CounterStore.self)
    let chain = dispatcher.store(Chain.self)
    let receipts = [
      chain.onChange { _ in seen.append("1 chain") },
      counter.onChange { _ in seen.append("2 counter") },
      chain.observe(initial: false, \.count) { _ in seen.append("3 chain") },
      counter.observe(initial: false, { $0 }) { _ in seen.append("4 counter") },
    ]
    dispatcher.dispatch(Batch([CounterAction.increase, ChainAction.add(1)]))
    #expect(seen.all == ["1 chain", "2 counter", "3 chain", "4 counter"])
    withExtendedLifetime(receipts) {}
  }

  @Test("all stores are committed before any observer runs")
  func sameModel() {
    let dispatcher = Dispatcher([CounterStore(), TallyStore()])
    let seen = Recorded<[String]>()
    let receipt = dispatcher.store(CounterStore.self).onChange { _ in
      seen.append(dispatcher[TallyStore.self])
    }
    dispatcher.dispatch(CounterAction.increase)
    #expect(seen.all == [["counter is 1"]])
    withExtendedLifetime(receipt) {}
  }

  @Test("a receipt cancelled mid-pass gets nothing more")
  func cancelledMidPass() {
    let dispatcher = Dispatcher([CounterStore()])
    let counter = dispatcher.store(CounterStore.self)
    let seen = Recorded<String>()
    let later = Box<Receipt>()
    let first = counter.onChange { _ in
      seen.append("first")
      later.value = nil
    }
    later.value = counter.onChange { _ in seen.append("second") }
    counter.dispatch(.increase)
    counter.dispatch(.increase)
    #expect(seen.all == ["first", "first"])
    withExtendedLifetime(first) {}
  }

  @Test("a receipt added mid-pass starts with the next step, before queued follow-ups")
  func addedMidPass() {
    let dispatcher = Dispatcher([Chain()])
    let chain = dispatcher.store(Chain.self)
    let seen = Recorded<[Int]>()
    let added = Box<Receipt>()
    let first = chain.onChange { _ in
      if added.value == nil { added.value = chain.onChange { seen.append($0.new) } }
    }
    chain.dispatch(.addAndFollow(1, 2))
    #expect(seen.all == [[1, 2]])
    withExtendedLifetime(first) {}
  }

  @Test("equal states are no change")
  func equal() {
    let dispatcher = Dispatcher([CounterStore()])
    let seen = Recorded<Int>()
    let receipt = dispatcher.store(CounterStore.self).onChange { seen.append($0.new) }
    for action in [CounterAction.set(0), .nothing, .set(5), .set(5)] { dispatcher.dispatch(action) }
    #expect(seen.all == [5])
    withExtendedLifetime(receipt) {}
  }

  @Test("a selector fires only when its result changed, and first with the current value")
  func selector() {
    let dispatcher = Dispatcher([CounterStore(initialState: 1)])
    let counter = dispatcher.store(CounterStore.self)
    let isEven = Recorded<Bool>()
    let quiet = Recorded<Bool>()
    let receipts = [
      counter.observe({ $0.isMultiple(of: 2) }) { isEven.append($0) },
      counter.observe(initial: false, { $0.isMultiple(of: 2) }) { quiet.append($0) },
    ]
    for value in [3, 4, 6, 8, 9] { counter.dispatch(.set(value)) }
    #expect(isEven.all == [false, true, false])
    #expect(quiet.all == [true, false])
    withExtendedLifetime(receipts) {}
  }

  @Test("the consequences of an observer's first call arrive after that call")
  func firstCallComesFirst() {
    let dispatcher = Dispatcher([CounterStore()])
    let counter = dispatcher.store(CounterStore.self)
    let seen = Recorded<Int>()
    let receipt = counter.observe({ $0 }) { value in
      if value == 0 { counter.dispatch(.set(9)) }
      seen.append(value)
    }
    #expect(seen.all == [0, 9])
    withExtendedLifetime(receipt) {}
  }

  @Test("an observer registered while another thread dispatches misses nothing and repeats nothing")
  func concurrentRegistration() {
    let dispatcher = Dispatcher([CounterStore()])
    let counter = dispatcher.store(CounterStore.self)
    onThreads(2) { thread in
      if thread == 0 {
        for _ in 0..<2_000 { counter.dispatch(.increase) }
        return
      }
      for _ in 0..<200 {
        let seen = Recorded<Int>()
        let receipt = counter.observe({ $0 }) { seen.append($0) }
        receipt.cancel()
        let values = seen.all
        #expect(values == Array((values.first ?? 0)..<((values.first ?? 0) + values.count)))
        #expect(!values.isEmpty)
      }
    }
  }

  @Test("releasing a receipt releases the callback's captures, outside any lock")
  func release() {
    let dispatcher = Dispatcher([CounterStore()])
    let counter = dispatcher.store(CounterStore.self)
    var receipt: Receipt? = {
      let goodbye = Goodbye { counter.dispatch(.add(100)) }
      return counter.onChange { _ in withExtendedLifetime(goodbye) {} }
    }()
    #expect(receipt != nil)
    receipt = nil
    #expect(counter.state == 100)
  }

  @MainActor
  @Test("one observation per owner and store, held weakly, the later replaces the earlier")
  func owner() {
    let dispatcher = Dispatcher([CounterStore(), Chain()])
    let counter = dispatcher.store(CounterStore.self)
    var view: View? = View()
    let log = Recorded<String>()
    if let view {
      counter.observe(for: view, { $0 }) { _, value in log.append("first \(value)") }
      counter.observe(for: view, { $0 }) { _, value in log.append("second \(value)") }
      dispatcher.store(Chain.self).observe(for: view, \.count) { _, value in
        log.append("chain \(value)")
      }
    }
    counter.dispatch(.increase)
    weak let reference = view
    view = nil
    #expect(reference == nil)
    counter.dispatch(.increase)
    dispatcher.dispatch(ChainAction.add(1))
    #expect(log.all == ["first 0", "second 0", "chain 0", "second 1"])
  }

  @MainActor
  @Test("values from other threads reach an owner on the main actor, all and in order")
  func ownerFromOtherThread() async {
    let dispatcher = Dispatcher([CounterStore()])
    let counter = dispatcher.store(CounterStore.self)
    let view = View()
    await withCheckedContinuation { continuation in
      counter.observe(for: view, { $0 }) { view, value in
        view.values.append(value)
        if value == 50 { continuation.resume() }
      }
      let thread = Thread { for _ in 0..<50 { counter.dispatch(.increase) } }
      thread.start()
    }
    #expect(view.values == Array(0...50))
  }
}

@MainActor final class View {
  var values: [Int] = []
}

/// Calls a closure when it is released.
final class Goodbye: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}
