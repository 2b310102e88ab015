import FluxLog

/// The command `continue`.
struct ContinueCommand: Command {
  let description = CommandDescription(
    "continue", aliases: ["c"], group: .move,
    summary: "Go to the next stop point, or to the end",
    help: """
      Stop points are breakpoints, watchpoints and catchpoints. The move ends at the next step beyond this one \
      that one of them stops at. If there is none, it ends at the end of the log.
      """)

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.run(.forwards))
  }
}

/// The command `reverse-continue`.
struct ReverseContinueCommand: Command {
  let description = CommandDescription(
    "reverse-continue", aliases: ["rc"], group: .move,
    summary: "Go back to the previous stop point, or to the start",
    help: """
      Stops at the same steps as continue, in reverse order. If no stop point is before this step, the move ends \
      at the start of the log.
      """)

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.run(.backwards))
  }
}
