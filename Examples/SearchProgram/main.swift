import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import SearchExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [Search(engine: WordList())] }

// Started by an inspector, the process serves these stores and ends here.
ReplayHost.runIfRequested(name: "Search", version: "1.0", stores: makeStores)

let program = TerminalProgram(
  name: "Search", stores: makeStores(), read: readSearchCommand,
  screen: { $0[Search.self].map { "\($0)" } ?? "no search" })
exit(await program.run())
