import CounterExample
import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [CounterStore()] }

/// The app as inspectors replay it.
let app = AppDefinition(name: "Counter", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  name: "Counter", stores: makeStores(), app: app, read: readCounterCommand,
  screen: { "the counter is at \($0[CounterStore.self].count)" })
exit(await program.run())
