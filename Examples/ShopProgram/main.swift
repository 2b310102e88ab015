import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import ShopExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { makeShop(service: CornerShop()) }

/// The app as inspectors replay it.
let app = AppDefinition(name: "Shop", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  name: "Shop", stores: makeStores(), app: app,
  redaction: Redaction(
    states: SessionStore.secretStates, actions: SessionStore.secretPayloads),
  read: readShopCommand, screen: shopScreen)
exit(await program.run())
