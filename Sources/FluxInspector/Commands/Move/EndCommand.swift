/// The command `end`.
struct EndCommand: Command {
  let name = "end"
  let group = CommandGroup.move
  let synopsis = "end"
  let summary = "go to the last step"
  let help = "Waits for the index of a large log; the wait can be interrupted."
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.move(to: try session.lastPosition(), stopped: .end)
  }
}
