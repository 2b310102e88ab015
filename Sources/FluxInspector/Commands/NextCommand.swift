import FluxLog

/// The command `next [n]`.
struct NextCommand: Command {
  let description = CommandDescription(
    "next", aliases: ["n"], group: .move, synopsis: "next [n]",
    summary: "Go to the next root action",
    help: """
      A root action is a step without a cause: the user or the app dispatched it, and not a follow-up, an \
      observer or an effect. The steps that this one caused are skipped. If there is no root action ahead, the \
      move ends at the end of the log.
      """,
    examples: ["next", "next 3"], arguments: .words(1))

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.stepOverRoots(arguments.count()))
  }
}

/// The command `prev [n]`.
struct PrevCommand: Command {
  let description = CommandDescription(
    "prev", aliases: ["rn"], group: .move, synopsis: "prev [n]",
    summary: "Go to the previous root action",
    help: """
      A root action is a step without a cause. The steps that it caused are skipped. If there is no root action \
      before this step, the move ends at the start of the log.
      """,
    examples: ["prev", "prev 3"], arguments: .words(1))

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.stepOverRoots(arguments.count(), .backwards))
  }
}
