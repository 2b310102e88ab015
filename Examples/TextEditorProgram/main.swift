import ExampleProgram
import FluxCore
import Foundation
import TextEditorExample

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [TextStore()] }

let program = TerminalProgram(
  name: "TextEditor", stores: makeStores(), read: readTextCommand, screen: textScreen)
exit(await program.run())
