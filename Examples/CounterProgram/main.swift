import CounterExample
import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [CounterStore()] }

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(AppDefinition(name: "Counter", version: "1.0", stores: makeStores))

let program = TerminalProgram(
  name: "Counter", stores: makeStores(), read: readCounterCommand,
  screen: { "the counter is at \($0[CounterStore.self].count)" })
exit(await program.run())
