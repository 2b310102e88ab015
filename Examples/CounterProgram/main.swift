import CounterExample
import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [CounterStore()] }

let app = AppDefinition(name: "Counter", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves the app and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  app, stores: makeStores(), read: readCounterCommand,
  screen: { "the counter is at \($0[CounterStore.self].count)" })
exit(await program.run())
