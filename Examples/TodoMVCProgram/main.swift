import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import TodoMVCExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [TodoStore(storage: MemoryStorage())] }

/// The constants of this version, which explain a replay that differs.
let circumstances: [String: any Encodable & Sendable] = ["storage": "memory", "titles": "trimmed"]

/// The app as inspectors replay it.
let app = AppDefinition(
  name: "TodoMVC", version: "1.0", evolution: todoEvolution, circumstances: circumstances,
  stores: makeStores)

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  name: "TodoMVC", stores: makeStores(), app: app, circumstances: circumstances,
  read: readTodoCommand,
  view: todoView)
exit(await program.run())
