import FluxLog

/// The command `watch PATH [if EXPR]`.
struct WatchCommand: Command {
  let name = "watch"
  let aliases = ["wa"]
  let group = CommandGroup.stop
  let synopsis = "watch PATH [if EXPR]"
  let summary = "stop at steps that change a value"
  let help = """
    A step changes what PATH selects where its value or its existence after the step is another \
    than before it. With a condition, only steps stop where it holds after them.
    """
  let examples = ["watch todos.items[0].done", "watch todos.items if length(todos.items) > 3"]
  let arguments = ArgumentStyle.expression
  let completions = [CompletionKind.path, .words(["if"]), .path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let (subject, condition) = try arguments.subjectAndCondition()
    let path = try arguments.path(subject)
    try session.noteMiss(of: path)
    return StopPointAnswer(point: session.stops.add(.watchpoint(path), if: condition))
  }
}
