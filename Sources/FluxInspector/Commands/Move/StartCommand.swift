import FluxLog

/// The command `start`.
struct StartCommand: Command {
  let name = "start"
  let group = CommandGroup.move
  let synopsis = "start"
  let summary = "go to the state before the first step"
  let help = "The stores are there with their initial states; features may be absent."
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.move(to: Timeline.start, stopped: .start)
  }
}
