import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import TextEditorExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [TextStore()] }

/// The app as inspectors replay it.
let app = AppDefinition(name: "TextEditor", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(app)

let program = TerminalProgram(
  name: "TextEditor", stores: makeStores(), app: app, read: readTextCommand, screen: textScreen)
exit(await program.run())
