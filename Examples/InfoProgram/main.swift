import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import InfoExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [InfoStore(service: UnsteadyService())] }

// Started by an inspector, the process serves these stores and ends here.
ReplayHost.runIfRequested(name: "Info", version: "1.0", stores: makeStores)

let program = TerminalProgram(
  name: "Info", stores: makeStores(), read: readInfoCommand,
  screen: { "\($0[InfoStore.self].status), \($0[InfoStore.self].sections.count) sections" })
exit(await program.run())
