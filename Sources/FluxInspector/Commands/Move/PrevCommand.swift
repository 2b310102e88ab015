import FluxLog

/// The command `prev [n]`.
struct PrevCommand: Command {
  let name = "prev"
  let aliases = ["rn"]
  let group = CommandGroup.move
  let synopsis = "prev [n]"
  let summary = "go to the previous root action, over what it caused"
  let help = """
    A root action is a step without a cause. Where there is none before here, the move ends at \
    the start of the log.
    """
  let examples = ["prev", "prev 3"]
  let arguments = ArgumentStyle.words(1)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.moveOverRoots(arguments.count(), .backwards)
  }
}
