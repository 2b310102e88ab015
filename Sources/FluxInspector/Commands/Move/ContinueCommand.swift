import FluxLog

/// The command `continue`.
struct ContinueCommand: Command {
  let name = "continue"
  let aliases = ["c"]
  let group = CommandGroup.move
  let synopsis = "continue"
  let summary = "go on to the next stop point, or to the end"
  let help = """
    Stops at the next step beyond this one that a breakpoint, a watchpoint or a catchpoint stops \
    at. Where there is none, the move ends at the end of the log.
    """
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.run(.forwards)
  }
}
