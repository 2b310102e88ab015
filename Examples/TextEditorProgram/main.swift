import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import TextEditorExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [TextStore()] }

let app = AppDefinition(name: "TextEditor", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves the app and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  app, stores: makeStores(), read: readTextCommand, screen: textScreen)
exit(await program.run())
