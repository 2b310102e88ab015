import FluxLog

/// The command `info`.
struct InfoCommand: Command {
  let name = "info"
  let aliases = ["i"]
  let group = CommandGroup.look
  let synopsis = "info"
  let summary = "say what the log is, and what is wrong with it"
  let help = """
    Actions in flight are those whose lines were not written when the recorder stopped: those that \
    committed, and at most one that began and did not finish, at which the app crashed.
    """
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.waitForIndex()
    return InformationAnswer(session.log)
  }
}
