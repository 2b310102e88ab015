import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import SearchExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [Search(engine: WordList())] }

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(AppDefinition(name: "Search", version: "1.0", stores: makeStores))

let program = TerminalProgram(
  name: "Search", stores: makeStores(), read: readSearchCommand,
  screen: { $0[Search.self].map { "\($0)" } ?? "no search" })
exit(await program.run())
