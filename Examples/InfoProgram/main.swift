import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import InfoExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [InfoStore(service: UnsteadyService())] }

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(AppDefinition(name: "Info", version: "1.0", stores: makeStores))

let program = TerminalProgram(
  name: "Info", stores: makeStores(), read: readInfoCommand,
  screen: { "\($0[InfoStore.self].status), \($0[InfoStore.self].sections.count) sections" })
exit(await program.run())
