import FluxCore
import Harness

import class Foundation.Thread
import func Foundation.exit

// What a dispatch costs. A second thread is alive all the while, as in any app: atomic operations of a
// process with one thread flatter.
let company = Thread { while true { Thread.sleep(forTimeInterval: 3_600) } }
company.start()

func nanoseconds(_ measurement: Measurement) -> Double { measurement.median * 1e9 }

/// A claim that a figure is at most so many nanoseconds.
func claim(_ name: String, _ measurement: Measurement, atMost bar: Double) -> Bool {
  let measured = nanoseconds(measurement)
  let isMet = measured <= bar
  print(
    "\(isMet ? "met   " : "MISSED") \(name): \(Measurement.rounded(measured)) ns, at most \(bar) ns"
  )
  return isMet
}

let watched = Dispatcher([CounterStore()])
let sum = Sum()
let receipt = watched.store(CounterStore.self).observe(initial: false, \.count) { sum.add($0) }

let changed = Measurement.measure("changed, one selector observer") {
  watched.dispatch(CounterAction.increase)
}
let unchanged = Measurement.measure("unchanged, one selector observer") {
  watched.dispatch(CounterAction.nothing)
}
let rejected = Measurement.measure("rejected") { watched.dispatch(CounterAction.refuse) }

let alone = Dispatcher([CounterStore()])
let unwatched = Measurement.measure("changed, nobody watches") {
  alone.dispatch(CounterAction.increase)
}
let crowd = (0..<1_000).map { OtherStore(id: StoreID("other\($0)")) as any Store }
let crowded = Dispatcher([CounterStore()] + crowd)
let amongOthers = Measurement.measure("the same beside 1,000 other stores") {
  crowded.dispatch(CounterAction.increase)
}
let logged = Dispatcher([CounterStore()])
logged.use(Silence())
let middleware = Measurement.measure("changed, one middleware") {
  logged.dispatch(CounterAction.increase)
}
let handle = watched.store(CounterStore.self)
let read = Measurement.measure("a read through a handle") { handle.count }

let results = [changed, unchanged, rejected, unwatched, amongOthers, middleware, read]
for result in results { print(result) }
print("")
let claims = [
  claim("dispatch to one store with one selector observer", changed, atMost: 150),
  claim("an unchanged one", unchanged, atMost: 60),
]
let share = amongOthers.median / unwatched.median
print("1,000 stores that do not take the action: \(Measurement.rounded(share)) times the cost")
withExtendedLifetime(receipt) {}
exit(claims.allSatisfy { $0 } ? 0 : 1)
