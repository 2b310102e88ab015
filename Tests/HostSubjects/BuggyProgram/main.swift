import BuggyApps
import FluxCore
import FluxRecorder
import Foundation

// An app with a bug, which records a session with it. `BUG` chooses one: a race, or a hidden clock.
let isRace = ProcessInfo.processInfo.environment["BUG"] == "race"

let app =
  isRace
  ? AppDefinition(name: "Words", stores: makeSearchStores)
  : AppDefinition(name: "Vouchers", stores: makeVoucherStores)
ReplayHost.runIfRequested(app)

// The answer to the first letter waits for the answer to both.
let (overtaken, gate) = AsyncStream<Never>.makeStream()
let stores: [any Store] =
  isRace
  ? [
    SearchStore(isFixed: false) { query in
      if query == "f" { for await _ in overtaken {} }
      return words.filter { $0.hasPrefix(query) }
    }
  ] : makeVoucherStores()
let dispatcher = Dispatcher(stores)
let recorder = Recorder(to: URL(fileURLWithPath: CommandLine.arguments[1]))
dispatcher.use(recorder)
if isRace {
  await dispatcher.run(SearchAction.type("k"))
  async let first = dispatcher.run(SearchAction.type("f"))
  while dispatcher[SearchStore.self].query != "f" { await Task.yield() }
  await dispatcher.run(SearchAction.type("fl"))
  gate.finish()
  _ = await first
} else {
  for code in ["spring", "summer"] { dispatcher.dispatch(VoucherAction.add(code)) }
  dispatcher.dispatch(VoucherAction.redeem("summer"))
}
try recorder.close()
