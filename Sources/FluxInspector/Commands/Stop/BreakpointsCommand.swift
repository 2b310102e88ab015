/// The command `breakpoints`.
struct BreakpointsCommand: Command {
  let name = "breakpoints"
  let group = CommandGroup.stop
  let synopsis = "breakpoints"
  let summary = "list all stop points"
  let help = "Each is shown with its number, what it stops at, and how often it was reached."
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    StopPointsAnswer(points: session.stops.points)
  }
}
