import FluxLog

/// The command `step [n]`.
struct StepCommand: Command {
  let name = "step"
  let aliases = ["s"]
  let group = CommandGroup.move
  let synopsis = "step [n]"
  let summary = "go one step forwards, or n"
  let help = """
    Every recorded action is a step, whether it changed anything or was rejected. At the end of \
    the log the move is cut off, and says so.
    """
  let examples = ["step", "step 10"]
  let arguments = ArgumentStyle.words(1)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.move(arguments.count(), .forwards)
  }
}
