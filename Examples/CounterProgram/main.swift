import CounterExample
import ExampleProgram
import FluxCore
import Foundation

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [CounterStore()] }

let program = TerminalProgram(
  name: "Counter", stores: makeStores(), read: readCounterCommand,
  screen: { "the counter is at \($0[CounterStore.self].count)" })
exit(await program.run())
