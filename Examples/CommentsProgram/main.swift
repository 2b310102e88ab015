import CommentsExample
import ExampleProgram
import FluxCore
import Foundation

/// The stores of the app, fresh.
let makeStores: @Sendable () -> [any Store] = { [CommentsStore(service: QuietForum())] }

let readers = Readers()
let program = TerminalProgram(
  name: "Comments", stores: makeStores(),
  read: { readCommentsCommand($0, readers) },
  screen: commentsScreen)
exit(await program.run())
