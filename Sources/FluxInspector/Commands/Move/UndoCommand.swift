/// The command `undo`.
struct UndoCommand: Command {
  let name = "undo"
  let group = CommandGroup.move
  let synopsis = "undo"
  let summary = "go back to where the last move began"
  let help = """
    Every move is one entry of the history, however far it went. What was undone can be redone \
    until the next move.
    """
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.walkHistory(missing: "there is no move to undo") { $0.undo() }
  }
}
