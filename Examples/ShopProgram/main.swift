import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import ShopExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { makeShop(service: CornerShop()) }

let program = TerminalProgram(
  name: "Shop", stores: makeStores(),
  redaction: Redaction(
    states: SessionStore.secretStates, actions: SessionStore.secretPayloads),
  read: readShopCommand, screen: shopScreen)
exit(await program.run())
