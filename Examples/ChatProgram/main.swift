import ChatExample
import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { makeChat(service: LocalServer()) }

let app = AppDefinition(name: "Chat", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves the app and exits here.
ReplayHost.runIfRequested(app)

let server = LocalServer()
let program = TerminalProgram(
  app, stores: makeChat(service: server), read: { readChatCommand($0, server) },
  view: chatView)
exit(await program.run())
