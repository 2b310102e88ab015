import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import InfoExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [InfoStore(service: UnsteadyService())] }

let app = AppDefinition(name: "Info", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves the app and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  app, stores: makeStores(), read: readInfoCommand,
  screen: { "\($0[InfoStore.self].status), \($0[InfoStore.self].sections.count) sections" })
exit(await program.run())
