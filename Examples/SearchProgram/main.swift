import ExampleProgram
import FluxCore
import Foundation
import SearchExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [Search(engine: WordList())] }

let program = TerminalProgram(
  name: "Search", stores: makeStores(), read: readSearchCommand,
  screen: { $0[Search.self].map { "\($0)" } ?? "no search" })
exit(await program.run())
