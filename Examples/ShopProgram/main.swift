import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import ShopExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { makeShop(service: CornerShop()) }

let app = AppDefinition(name: "Shop", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves the app and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  app, stores: makeStores(),
  redaction: Redaction(
    states: SessionStore.secretStates, actions: SessionStore.secretPayloads),
  read: readShopCommand, screen: shopScreen)
exit(await program.run())
