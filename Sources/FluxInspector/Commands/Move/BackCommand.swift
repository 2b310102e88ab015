import FluxLog

/// The command `back [n]`.
struct BackCommand: Command {
  let name = "back"
  let aliases = ["rs"]
  let group = CommandGroup.move
  let synopsis = "back [n]"
  let summary = "go one step backwards, or n"
  let help = "At the start of the log the move is cut off, and says so."
  let examples = ["back", "back 10"]
  let arguments = ArgumentStyle.words(1)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.move(arguments.count(), .backwards)
  }
}
