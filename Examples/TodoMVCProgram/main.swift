import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import TodoMVCExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [TodoStore(storage: MemoryStorage())] }

/// The app, with the constants of this version, which explain a replay that differs.
let app = AppDefinition(
  name: "TodoMVC", version: "1.0", evolution: todoEvolution,
  circumstances: ["storage": "memory", "titles": "trimmed"], stores: makeStores)

// If an inspector started this process, it serves the app and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  app, stores: makeStores(), read: readTodoCommand, view: todoView)
exit(await program.run())
