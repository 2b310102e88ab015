import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import SearchExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [Search(engine: WordList())] }

/// The app as inspectors replay it.
let app = AppDefinition(name: "Search", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  name: "Search", stores: makeStores(), app: app, read: readSearchCommand,
  screen: { $0[Search.self].map { "\($0)" } ?? "no search" })
exit(await program.run())
