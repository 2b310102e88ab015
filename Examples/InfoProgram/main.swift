import ExampleProgram
import FluxCore
import Foundation
import InfoExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [InfoStore(service: UnsteadyService())] }

let program = TerminalProgram(
  name: "Info", stores: makeStores(), read: readInfoCommand,
  screen: { "\($0[InfoStore.self].status), \($0[InfoStore.self].sections.count) sections" })
exit(await program.run())
