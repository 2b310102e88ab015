import FluxLog

/// The command `history PATH`.
struct HistoryCommand: Command {
  let name = "history"
  let group = CommandGroup.look
  let synopsis = "history PATH"
  let summary = "list the values that a path took, and when"
  let help = """
    The whole log counts, the oldest value first; the initial value is an entry of its own. Of a \
    path that selects several values, all of them are one value.
    """
  let examples = ["history search.query", "history todos.items[*].done"]
  let arguments = ArgumentStyle.raw
  let completions = [CompletionKind.path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let path = try arguments.statePath()
    try session.waitForIndex()
    try session.requireWrite(of: path, through: nil, .forwards)
    return WritesAnswer(
      session: session, path: path, end: nil, direction: .forwards, isOne: false)
  }
}
