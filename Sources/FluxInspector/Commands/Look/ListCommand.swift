import FluxLog

/// The command `list [RANGE]`.
struct ListCommand: Command {
  let name = "list"
  let aliases = ["l"]
  let group = CommandGroup.look
  let synopsis = "list [RANGE]"
  let summary = "list the steps around here, or those of a range"
  let help = """
    Each step is on a line: its number, its action, when it was dispatched, the stores that it \
    changed or why it was rejected, and the step that caused it. Marks, gaps and damage stand \
    between the steps.

    RANGE is A..B, both included, each a position; either may be missing: list .. lists all steps.
    """
  let examples = ["list", "list 10..20", "list -3..+3", "list @2.5..end"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.range]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    if let word = arguments.words.first {
      let range = try session.resolve(try arguments.range(word))
      return ListAnswer(session: session, range: range)
    }
    // More than any log has steps, and no sum with it is too large.
    let context = min(session.settings.listContext, Int.max / 4)
    try session.waitForIndex(beyond: session.position + context)
    let first = max(0, session.position - context)
    let end = min(session.position + context + 1, session.log.count)
    return ListAnswer(session: session, range: first..<max(first, end))
  }
}
