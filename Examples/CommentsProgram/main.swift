import CommentsExample
import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation

/// Makes the stores of the app.
let makeStores: @Sendable () -> [any Store] = { [CommentsStore(service: QuietForum())] }

/// The app as inspectors replay it.
let app = AppDefinition(name: "Comments", version: "1.0", stores: makeStores)

// If an inspector started this process, it serves these stores and exits here.
ReplayHost.runIfRequested(app)

let readers = Readers()
let program = TerminalProgram(
  name: "Comments", stores: makeStores(), app: app,
  read: { readCommentsCommand($0, readers) },
  screen: commentsScreen)
exit(await program.run())
