import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import ShopExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { makeShop(service: CornerShop()) }

// Started by an inspector, the process serves these stores and ends here.
ReplayHost.runIfRequested(name: "Shop", version: "1.0", stores: makeStores)

let program = TerminalProgram(
  name: "Shop", stores: makeStores(),
  redaction: Redaction(
    states: SessionStore.secretStates, actions: SessionStore.secretPayloads),
  read: readShopCommand, screen: shopScreen)
exit(await program.run())
