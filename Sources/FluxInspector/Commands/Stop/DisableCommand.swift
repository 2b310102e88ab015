/// The command `disable N`.
struct DisableCommand: Command {
  let name = "disable"
  let group = CommandGroup.stop
  let synopsis = "disable N"
  let summary = "switch a stop point off"
  let help = "Moves pass it until it is enabled again. The numbers are in the list of breakpoints."
  let examples = ["disable 1"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.stopPoint]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let number = try arguments.stopPointNumber()
    guard let point = session.stops.setEnabled(false, number) else {
      throw CommandError.noStopPoint(number)
    }
    return StopPointAnswer(point: point, change: "disabled")
  }
}
