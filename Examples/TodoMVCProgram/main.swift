import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import TodoMVCExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [TodoStore(storage: MemoryStorage())] }

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(
  name: "TodoMVC", version: "1.0", evolution: todoEvolution, stores: makeStores)

let program = TerminalProgram(
  name: "TodoMVC", stores: makeStores(), read: readTodoCommand, view: todoView)
exit(await program.run())
