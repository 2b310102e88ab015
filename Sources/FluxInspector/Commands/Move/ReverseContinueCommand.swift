import FluxLog

/// The command `reverse-continue`.
struct ReverseContinueCommand: Command {
  let name = "reverse-continue"
  let aliases = ["rc"]
  let group = CommandGroup.move
  let synopsis = "reverse-continue"
  let summary = "go back to the previous stop point, or to the start"
  let help = """
    Stops at the same steps as continue, in reverse order. Where there is none before this one, \
    the move ends at the start of the log.
    """
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.run(.backwards)
  }
}
