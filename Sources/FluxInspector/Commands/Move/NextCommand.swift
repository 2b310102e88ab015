import FluxLog

/// The command `next [n]`.
struct NextCommand: Command {
  let name = "next"
  let aliases = ["n"]
  let group = CommandGroup.move
  let synopsis = "next [n]"
  let summary = "go to the next root action, over what this one caused"
  let help = """
    A root action is a step without a cause: the app or its user dispatched it, and not a \
    follow-up, an observer or an effect. Where there is none ahead, the move ends at the end of the log.
    """
  let examples = ["next", "next 3"]
  let arguments = ArgumentStyle.words(1)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.moveOverRoots(arguments.count(), .forwards)
  }
}
