/// The command `switch N`.
struct SwitchCommand: Command {
  let name = "switch"
  let group = CommandGroup.replay
  let synopsis = "switch N"
  let summary = "go to a branch, or back to the recording"
  let help = "N is the number of a fork, or 0 for the recording. 'forks' lists the numbers."
  let examples = ["switch 1", "switch 0"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.fork]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let number = try arguments.branchNumber() else {
      throw arguments.usage("the number of a fork is missing")
    }
    guard number != 0 else {
      let answer = try session.moveAnswer(at: session.position, stopped: .goto)
      session.branches.select(nil)
      return answer
    }
    let branch = try session.branch(number)
    session.branches.select(branch)
    return ForkAnswer(branch, in: session)
  }
}
