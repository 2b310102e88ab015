/// The command `forks`.
struct ForksCommand: Command {
  let name = "forks"
  let group = CommandGroup.replay
  let synopsis = "forks"
  let summary = "list the branches"
  let help = "Each is shown with the step after which it leaves the recording. A * marks this one."
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    ForksAnswer(
      forks: session.branches.all.map { ForkAnswer($0, in: session) },
      current: session.branches.current?.number)
  }
}
