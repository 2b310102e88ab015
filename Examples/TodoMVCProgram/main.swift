import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import TodoMVCExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [TodoStore(storage: MemoryStorage())] }

// Started by an inspector, the process serves these stores and ends here.
ReplayHost.runIfRequested(
  name: "TodoMVC", version: "1.0", evolution: todoEvolution, stores: makeStores)

let program = TerminalProgram(
  name: "TodoMVC", stores: makeStores(), read: readTodoCommand, screen: todoScreen)
exit(await program.run())
