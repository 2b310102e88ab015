import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import InfoExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [InfoStore(service: UnsteadyService())] }

/// The app as inspectors replay it.
let app = AppDefinition(name: "Info", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  name: "Info", stores: makeStores(), app: app, read: readInfoCommand,
  screen: { "\($0[InfoStore.self].status), \($0[InfoStore.self].sections.count) sections" })
exit(await program.run())
