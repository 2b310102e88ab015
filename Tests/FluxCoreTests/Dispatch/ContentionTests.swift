import FluxCore
import Foundation
import Testing

@Suite("Rules 8 and 11: contention") struct ContentionTests {
  /// A million with `FLUX_SOAK`, as the documented rule says; otherwise enough to reach every path.
  private let dispatchesPerThread =
    ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 2_500 : 125_000

  @Test("dispatches from 8 threads: none is lost, and all see one total order")
  func noneLost() {
    let count = dispatchesPerThread
    let dispatcher = Dispatcher([CounterStore()])
    let counter = dispatcher.store(CounterStore.self)
    let observed = Recorded<Int>()
    let receipt = counter.observe(initial: false, { $0 }) { observed.append($0) }
    let numbers = Recorded<[UInt64]>()
    onThreads(8) { _ in
      numbers.append((0..<count).compactMap { _ in counter.dispatch(.increase).step })
    }
    let total = 8 * count
    #expect(counter.state == total)
    #expect(observed.all == Array(1...total))
    #expect(numbers.all.flatMap { $0 }.sorted() == (1...UInt64(total)).map { $0 })
    #expect(numbers.all.allSatisfy { $0 == $0.sorted() })
    withExtendedLifetime(receipt) {}
  }

  @Test("threads that dispatch, enqueue, follow up, observe and read at once come to the same sum")
  func mixed() {
    let count = dispatchesPerThread / 5
    let dispatcher = Dispatcher([CounterStore(), Chain()])
    let done = DispatchGroup()
    onThreads(8) { thread in
      for index in 0..<count {
        switch (thread + index) % 4 {
        case 0: dispatcher.dispatch(CounterAction.increase)
        case 1:
          done.enter()
          dispatcher.enqueue(CounterAction.increase) { _ in done.leave() }
        case 2: dispatcher.dispatch(ChainAction.addAndFollow(1, 2))
        default:
          let receipt = dispatcher.store(CounterStore.self).observe({ $0 }) { _ in }
          dispatcher.dispatch(Batch("both", [CounterAction.increase, ChainAction.add(3)]))
          receipt.cancel()
        }
      }
    }
    done.wait()
    let each = 8 * count / 4
    #expect(dispatcher[CounterStore.self] == 3 * each)
    #expect(dispatcher[Chain.self].count == 3 * each)
    #expect(dispatcher[Chain.self].reduce(0, +) == each * (1 + 2 + 3))
  }

  @Test("a thread that dispatches once returns, no matter how much others queue")
  func fairness() {
    let stop = Box<Bool>()
    let dispatcher = Dispatcher([CounterStore()])
    let started = DispatchSemaphore(value: 0)
    onThreads(3) { thread in
      if thread < 2 {
        repeat {
          dispatcher.enqueue(CounterAction.increase)
          dispatcher.dispatch(CounterAction.increase)
          started.signal()
        } while stop.value == nil
        return
      }
      started.wait()
      #expect(dispatcher.dispatch(CounterAction.increase).result == .changed)
      stop.value = true
    }
  }
}
