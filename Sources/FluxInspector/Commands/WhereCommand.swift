/// The command `where`.
struct WhereCommand: Command {
  let description = CommandDescription(
    "where", aliases: ["bt"], group: .look, summary: "Show the chain of causes of this step",
    help: """
      The cause of a step is the earlier step that led to it: by a follow-up, an observer or an effect. The last \
      step of the chain is the root action, which the user or the app dispatched. A cause that is not in the log \
      ends the chain.
      """)

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    Reply(try console.session.chain()) { link, depth, text in
      text.write("#\(depth) ", .dim)
      text.action(link.number, link.type, link.payload)
      if let effect = link.effect { text.write(" by the effect \(effect)", .dim) }
      if let source = link.source { text.write(" at \(source)", .dim) }
      try text.line(" +\(link.t)s", .dim)
    } end: { end, count, text in
      guard let cause = end.missingCause else { return }
      try text.line("#\(count) step \(cause) is not in the log before it", .dim)
    }
  }
}
