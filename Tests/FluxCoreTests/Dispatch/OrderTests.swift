import FluxCore
import Foundation
import TestFixtures
import Testing

@Suite("Rule 1: one total order", .hangLimit) struct OrderTests {
  @Test("a dispatch from inside a reducer is queued, says so, and runs after the step")
  func fromReducer() {
    let outcomes = Recorded<Outcome>()
    let box = Box<Dispatcher>()
    let store = CounterStore(onReduce: { action in
      guard action == .increase else { return }
      if let outcome = box.value?.dispatch(CounterAction.add(10)) { outcomes.append(outcome) }
    })
    let dispatcher = Dispatcher([store])
    box.value = dispatcher
    #expect(dispatcher.dispatch(CounterAction.increase).result == .changed)
    #expect(outcomes.all.map(\.result) == [.queued])
    #expect(outcomes.all.map(\.step) == [nil])
    #expect(dispatcher[CounterStore.self] == 11)
    box.value = nil
  }

  @Test("dispatches from a middleware and an observer are queued in that order")
  func fromEverywhere() {
    let dispatcher = Dispatcher([CounterStore(), TallyStore()])
    let steps = Recorded<String>()
    dispatcher.use(
      Dispatching { envelope in
        steps.append(
          "\(envelope.step) \(describeAction(envelope.action)) by \(envelope.cause ?? 0)")
        if envelope.step == 1 { dispatcher.dispatch(LogAction.note("from middleware")) }
      })
    let counter = dispatcher.store(CounterStore.self)
    let receipt = counter.onChange { change in
      if change.step == 1 { dispatcher.dispatch(LogAction.note("from observer")) }
    }
    counter.dispatch(.increase)
    #expect(
      steps.all == [
        "1 increase by 0", "2 note(\"from middleware\") by 1", "3 note(\"from observer\") by 1",
      ])
    withExtendedLifetime(receipt) {}
  }

  @Test("follow-ups run after the dispatches of observers, and before the caller continues")
  func followUpsLast() {
    let dispatcher = Dispatcher([Chain(), TallyStore()])
    let receipt = dispatcher.store(Chain.self).onChange { change in
      if change.new == [1] { dispatcher.dispatch(ChainAction.add(3)) }
    }
    dispatcher.dispatch(ChainAction.addAndFollow(1, 2))
    #expect(dispatcher[Chain.self] == [1, 3, 2])
    withExtendedLifetime(receipt) {}
  }

  @Test("follow-ups run after the actions that other threads queued during the step")
  func followUpsAfterOtherThreads() {
    let dispatcher = Dispatcher([Chain()])
    dispatcher.use(
      Dispatching { envelope in
        guard envelope.step == 1 else { return }
        onThreads(1) { _ in dispatcher.enqueue(ChainAction.add(3)) }
      })
    dispatcher.dispatch(ChainAction.addAndFollow(1, 2))
    #expect(dispatcher[Chain.self] == [1, 3, 2])
  }

  @Test("no observer sees step n + 1 before every observer saw step n")
  func breadthFirst() {
    let dispatcher = Dispatcher([CounterStore()])
    let seen = Recorded<String>()
    let counter = dispatcher.store(CounterStore.self)
    let first = counter.onChange { change in
      seen.append("first \(change.new)")
      if change.new < 3 { counter.dispatch(.increase) }
    }
    let second = counter.onChange { seen.append("second \($0.new)") }
    counter.dispatch(.increase)
    #expect(
      seen.all == ["first 1", "second 1", "first 2", "second 2", "first 3", "second 3"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("reads, observations and their ends on other threads do not wait for a turn")
  func readsDoNotWait() {
    let inside = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
    let dispatcher = Dispatcher([
      CounterStore(onReduce: { _ in
        inside.signal()
        goOn.wait()
      })
    ])
    let counter = dispatcher.store(CounterStore.self)
    onThreads(2) { thread in
      if thread == 0 {
        counter.dispatch(.increase)
        return
      }
      inside.wait()
      #expect(counter.state == 0)
      #expect(dispatcher.model[CounterStore.self] == 0)
      let receipt = counter.observe({ $0 }) { _ in }
      receipt.cancel()
      goOn.signal()
    }
    #expect(counter.state == 1)
  }

  @Test("an action runs on the thread that dispatched it, even if another thread has the turn")
  func ownThread() {
    let foreign = Recorded<Int>()
    let dispatcher = Dispatcher([
      CounterStore(onReduce: { action in
        guard case .set(let thread) = action else { return }
        if thread != ObjectIdentifier(Thread.current).hashValue { foreign.append(thread) }
      })
    ])
    onThreads(4) { _ in
      let thread = ObjectIdentifier(Thread.current).hashValue
      for _ in 0..<200 { dispatcher.dispatch(CounterAction.set(thread)) }
    }
    #expect(foreign.count == 0)
  }
}

@Suite("Several dispatchers", .hangLimit) struct SeveralDispatchersTests {
  @Test("two whose observers dispatch to each other, from two threads, do not wait for each other")
  func crosswise() {
    let one = Dispatcher([CounterStore(), TallyStore()])
    let other = Dispatcher([CounterStore(), TallyStore()])
    let receipts = [(one, other), (other, one)].map { (here, there) in
      here.store(CounterStore.self).onChange { _ in there.dispatch(LogAction.note("x")) }
    }
    onThreads(2) { thread in
      for _ in 0..<2_000 { (thread == 0 ? one : other).dispatch(CounterAction.increase) }
    }
    for dispatcher in [one, other] {
      dispatcher.dispatch(Batch(nil, []))
      #expect(dispatcher[TallyStore.self].filter { $0 == "x" }.count == 2_000)
    }
    withExtendedLifetime(receipts) {}
  }

  @Test(
    "two whose observers add a middleware to each other, from two threads, do not wait for each other"
  )
  func crosswiseMiddleware() {
    let dispatchers = (0..<2).map { _ in Dispatcher([CounterStore(), TallyStore()]) }
    let inside = (0..<2).map { _ in DispatchSemaphore(value: 0) }
    let seen = Recorded<Int>()
    let receipts = (0..<2).map { here in
      dispatchers[here].store(CounterStore.self).onChange { [dispatchers] _ in
        let there = 1 - here
        inside[here].signal()
        inside[there].wait()
        dispatchers[there].use(
          Dispatching { envelope in if envelope.action is LogAction { seen.append(there) } })
      }
    }
    onThreads(2) { thread in dispatchers[thread].dispatch(CounterAction.increase) }
    for dispatcher in dispatchers {
      // Behind the middleware, if that was queued.
      dispatcher.dispatch(Batch(nil, []))
      dispatcher.dispatch(LogAction.note("x"))
    }
    #expect(seen.all == [0, 1])
    withExtendedLifetime(receipts) {}
  }
}

/// An action that no store handles.
struct ThreadAction: Action { let thread: Int }

enum ChainAction: Action {
  case add(Int)
  case addAndFollow(Int, Int)
}

struct Chain: Store {
  let initialState: [Int] = []

  func reduce(_ numbers: inout [Int], _ action: ChainAction, _ step: inout Step) {
    switch action {
    case .add(let number): numbers.append(number)
    case .addAndFollow(let number, let next):
      numbers.append(number)
      step.dispatch(ChainAction.add(next))
    }
  }
}

struct Dispatching: Middleware {
  let body: @Sendable (Envelope) -> Void

  init(_ body: @escaping @Sendable (Envelope) -> Void) {
    self.body = body
  }

  func willDispatch(_ envelope: Envelope, _ model: Model) { body(envelope) }
}

func describeAction(_ action: any Action) -> String { "\(action)" }

/// A variable that a test shares with closures; set before and after, read in between.
final class Box<Value: Sendable>: @unchecked Sendable {
  // Sendable: guarded by `lock`.
  private let lock = NSLock()
  private var stored: Value?

  var value: Value? {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}
