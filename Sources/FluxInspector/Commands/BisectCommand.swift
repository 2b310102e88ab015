/// The command `bisect EXPR`.
struct BisectCommand: Command {
  let description = CommandDescription(
    "bisect", group: .move, synopsis: "bisect EXPR",
    summary: "Find the step where an expression became true",
    help: """
      Binary search: checks both ends of the log, then the middle of what is left. Twenty million steps take \
      twenty-six probes. This finds the step only if the expression became true once and stayed true; if a probe \
      contradicts that, the answer says so. If the expression does not hold at the end, the position does not \
      change and a batch exits with 1.
      """,
    examples: ["bisect length(todos.items) > 3"], arguments: .expression, completions: [.path])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    Reply(try console.session.bisect(try arguments.expression())) { bisection, text in
      if let move = bisection.move {
        try text.move(move)
      } else {
        try text.line("it does not hold at the end of the log")
      }
      if !bisection.isMonotone {
        try text.line("not monotone: it holds at the start and not at the end", .error)
      }
    }
  }
}
