import FluxLog

/// The command `step [n]`.
struct StepCommand: Command {
  let description = CommandDescription(
    "step", aliases: ["s"], group: .move, synopsis: "step [n]",
    summary: "Go forwards by one step, or n",
    help: """
      Every recorded action is a step, even if it changed nothing or was rejected. At the end of the log the \
      move is cut off, and a note says so.
      """,
    examples: ["step", "step 10"], arguments: .words(1))

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.step(arguments.count()))
  }
}

/// The command `back [n]`.
struct BackCommand: Command {
  let description = CommandDescription(
    "back", aliases: ["rs"], group: .move, synopsis: "back [n]",
    summary: "Go backwards by one step, or n",
    help: "At the start of the log the move is cut off, and a note says so.",
    examples: ["back", "back 10"], arguments: .words(1))

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.step(arguments.count(), .backwards))
  }
}
