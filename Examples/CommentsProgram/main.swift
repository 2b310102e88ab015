import CommentsExample
import ExampleProgram
import FluxCore
import FluxRecorder
import Foundation

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [CommentsStore(service: QuietForum())] }

// Started by an inspector, the process serves these stores and ends here.
ReplayHost.runIfRequested(name: "Comments", version: "1.0", stores: makeStores)

let readers = Readers()
let program = TerminalProgram(
  name: "Comments", stores: makeStores(),
  read: { readCommentsCommand($0, readers) },
  screen: commentsScreen)
exit(await program.run())
