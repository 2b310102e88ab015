import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import SearchExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [Search(engine: WordList())] }

let app = AppDefinition(name: "Search", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves the app and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  app, stores: makeStores(), read: readSearchCommand,
  screen: { $0[Search.self].map { "\($0)" } ?? "no search" })
exit(await program.run())
