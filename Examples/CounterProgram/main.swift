import CounterExample
import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [CounterStore()] }

// Started by an inspector, the process serves these stores and ends here.
ReplayHost.runIfRequested(name: "Counter", version: "1.0", stores: makeStores)

let program = TerminalProgram(
  name: "Counter", stores: makeStores(), read: readCounterCommand,
  screen: { "the counter is at \($0[CounterStore.self].count)" })
exit(await program.run())
