import CounterExample
import FluxCore

// A counter at work, with a logger that shows what became of each action.
let dispatcher = Dispatcher([CounterStore()])
dispatcher.use(ActionLogger { print($0) })

let counter = dispatcher.store(CounterStore.self)
counter.dispatch(.increase)
counter.dispatch(.remove(amount: 3))
dispatcher.dispatch(Batch("two at once", [CounterAction.add(amount: 40), CounterAction.increase]))
await counter.run(.addAfterWork(amount: 8))
print("the counter is at \(counter.count)")
