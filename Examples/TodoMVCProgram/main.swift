import ExampleProgram
import FluxCore
import Foundation
import TodoMVCExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [TodoStore(storage: MemoryStorage())] }

let program = TerminalProgram(
  name: "TodoMVC", stores: makeStores(), read: readTodoCommand, screen: todoScreen)
exit(await program.run())
