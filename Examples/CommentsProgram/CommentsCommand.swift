import CommentsExample
import ExampleProgram
import FluxCore

/// The readers of sites: while a site has a reader, the store keeps its comments.
actor Readers {
  private var receipts: [Int: Receipt] = [:]

  /// Opens a site; returns when its comments have arrived.
  func read(_ site: Int, of dispatcher: Dispatcher) async {
    let comments = dispatcher.store(CommentsStore.self)
    let states = comments.states()
    receipts[site] = comments.query(.comments(ofSite: site))
    for await state in states where !state.isFetching(site: site) { return }
  }

  /// Closes a site.
  func leave(_ site: Int) {
    receipts[site]?.cancel()
    receipts[site] = nil
  }
}

/// Parses a line: `read 1`, `reply 1 1 thanks`, `delete 1 1`, `leave 1`.
@Sendable func readCommentsCommand(
  _ line: String, _ readers: Readers
) -> TerminalProgram.Command {
  let unknown = TerminalProgram.Command.unknown(
    usage: "read SITE, leave SITE, delete SITE ID, reply SITE ID TEXT")
  var words = Words(line)
  let command = words.next()
  guard let site = words.number() else { return unknown }
  switch command {
  case "read": return .perform { await readers.read(site, of: $0) }
  case "leave": return .perform { _ in await readers.leave(site) }
  case "delete":
    return words.number().map { .dispatch(CommentsAction.delete(id: $0, site: site)) } ?? unknown
  case "reply":
    guard let id = words.number() else { return unknown }
    return .dispatch(CommentsAction.reply(to: id, site: site, text: words.remainder()))
  default: return unknown
  }
}

/// The comments of both sites and the latest failure.
@Sendable func commentsScreen(_ dispatcher: Dispatcher) -> String {
  let state = dispatcher[CommentsStore.self]
  let rows = [1, 2].flatMap { state.comments(ofSite: $0) }
    .map { "site \($0.site), \($0.id): \($0.text)" }
  return (rows + [state.failure].compactMap(\.self)).joined(separator: "\n")
}
