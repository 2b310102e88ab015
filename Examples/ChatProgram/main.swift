import ChatExample
import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { makeChat(service: LocalServer()) }

/// The app as inspectors replay it.
let app = AppDefinition(name: "Chat", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(app)

let server = LocalServer()
let program = TerminalProgram(
  name: "Chat", stores: makeChat(service: server), app: app, read: { readChatCommand($0, server) },
  view: chatView)
exit(await program.run())
