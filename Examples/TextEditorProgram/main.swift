import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation
import TextEditorExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [TextStore()] }

// Started by an inspector, the process serves these stores and ends here.
ReplayHost.runIfRequested(name: "TextEditor", version: "1.0", stores: makeStores)

let program = TerminalProgram(
  name: "TextEditor", stores: makeStores(), read: readTextCommand, screen: textScreen)
exit(await program.run())
