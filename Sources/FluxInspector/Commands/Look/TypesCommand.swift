/// The command `types`.
struct TypesCommand: Command {
  let name = "types"
  let group = CommandGroup.look
  let synopsis = "types"
  let summary = "list the types of actions, the most frequent first"
  let help = "Rejected actions count as well."
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.waitForIndex()
    return TypesAnswer(counts: try TypeCounts(of: session.log))
  }
}
