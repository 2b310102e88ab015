import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import TextEditorExample

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [TextStore()] }

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(AppDefinition(name: "TextEditor", version: "1.0", stores: makeStores))

let program = TerminalProgram(
  name: "TextEditor", stores: makeStores(), read: readTextCommand, screen: textScreen)
exit(await program.run())
