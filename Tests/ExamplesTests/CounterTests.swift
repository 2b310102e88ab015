import CounterExample
import FluxCore
import Testing

@Suite struct CounterTests {
  let dispatcher = Dispatcher([CounterStore()])
  var counter: StoreHandle<CounterStore> { dispatcher.store(CounterStore.self) }

  @Test("the reducer increases, decreases, adds and removes")
  func reducer() {
    counter.dispatch(.increase)
    counter.dispatch(.increase)
    counter.dispatch(.decrease)
    counter.dispatch(.add(amount: 42))
    counter.dispatch(.remove(amount: 3))
    #expect(counter.count == 40)
  }

  @Test("a change below 0 is rejected and changes nothing")
  func belowZero() {
    counter.dispatch(.increase)
    let outcome = counter.dispatch(.remove(amount: 2))
    #expect(outcome.rejection?.description == "counter: cannot remove 2 from 1")
    #expect(counter.count == 1)
  }

  @Test("a dispatch is done on return")
  func dispatches() {
    #expect(counter.increased() == 1)
  }

  @Test("chained actions are queued one by one, and the completion of the last sees both")
  func chain() async {
    let count = await withCheckedContinuation { continuation in
      counter.increaseTwice { continuation.resume(returning: $0) }
    }
    #expect(count == 2)
  }

  @Test("serial work is done one at a time, in the order of the dispatches")
  func serial() async {
    let (steps, work) = AsyncStream<String>.makeStream()
    let counter = Dispatcher([
      CounterStore { amount in
        work.yield("begin \(amount)")
        await Task.yield()
        work.yield("end \(amount)")
      }
    ]).store(CounterStore.self)
    counter.dispatch(.addAfterWork(amount: 1))
    await counter.run(.addAfterWork(amount: 2))
    work.finish()
    let seen = await steps.reduce(into: []) { $0.append($1) }
    #expect(seen == ["begin 1", "end 1", "begin 2", "end 2"])
    #expect(counter.count == 3)
  }

  @Test("a run ends with its work")
  func run() async {
    #expect(await counter.addAfterWork([1, 2, 3]) == 6)
  }

  @Test("the logger writes a line for each action, the rejected ones included")
  func logger() async {
    let (lines, log) = AsyncStream<String>.makeStream()
    dispatcher.use(ActionLogger { log.yield($0) })
    counter.dispatch(.add(amount: 42))
    counter.dispatch(.add(amount: 0))
    counter.dispatch(.remove(amount: 43))
    await counter.run(.addAfterWork(amount: 1))
    log.finish()
    #expect(
      await lines.reduce(into: []) { $0.append($1) } == [
        "1 counter add(amount: 42): changed counter",
        "2 counter add(amount: 0): nothing changed",
        "3 counter remove(amount: 43): rejected by counter: cannot remove 43 from 42",
        "4 counter addAfterWork(amount: 1): nothing changed",
        "5 counter add(amount: 1): changed counter",
      ])
  }
}
