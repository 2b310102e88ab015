import FluxLog

/// The command `bisect EXPR`.
struct BisectCommand: Command {
  let name = "bisect"
  let group = CommandGroup.move
  let synopsis = "bisect EXPR"
  let summary = "find by halves where an expression turned true"
  let help = """
    Looks at both ends of the log and then at the middle of what is left: twenty million steps take \
    twenty-six looks. That finds the step only where the expression turned true once and stayed so; \
    where a look contradicts that, it says so. Where the expression does not hold at the end, the \
    session stays, and a batch exits with 1.
    """
  let examples = ["bisect length(todos.items) > 3"]
  let arguments = ArgumentStyle.expression
  let completions = [CompletionKind.path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let expression = try arguments.expression(arguments.text)
    try session.waitForIndex()
    let result = try session.timeline.bisect(expression, check: session.check)
    let move = try result?.position.map { position in
      try session.move(to: position, stopped: .goto)
    }
    return BisectAnswer(move: move, isMonotone: result?.isMonotone ?? true)
  }
}
