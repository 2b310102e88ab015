/// The command `drop N`.
struct DropCommand: Command {
  let name = "drop"
  let group = CommandGroup.replay
  let synopsis = "drop N"
  let summary = "let a branch go"
  let help = """
    Its number is not used again. Where the session is on that fork, it goes back to the recording.
    """
  let examples = ["drop 1"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.fork]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let number = try arguments.branchNumber() else {
      throw arguments.usage("the number of a fork is missing")
    }
    let branch = try session.branch(number)
    session.branches.remove(branch)
    return ForkAnswer(branch, in: session, change: "dropped")
  }
}
