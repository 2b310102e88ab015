/// The command `undo`.
struct UndoCommand: Command {
  let description = CommandDescription(
    "undo", group: .move, summary: "Go back to the position before the last move",
    help: """
      Every move is one entry of the history, however far it went. You can redo an undone move until the next \
      move.
      """)

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.undo())
  }
}

/// The command `redo`.
struct RedoCommand: Command {
  let description = CommandDescription(
    "redo", group: .move, summary: "Repeat the last move that was undone",
    help: "Any other move forgets what was undone.")

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.redo())
  }
}
