/// The command `enable N`.
struct EnableCommand: Command {
  let name = "enable"
  let group = CommandGroup.stop
  let synopsis = "enable N"
  let summary = "switch a stop point on"
  let help = "Moves stop there again. The numbers are in the list of breakpoints."
  let examples = ["enable 1"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.stopPoint]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let number = try arguments.stopPointNumber()
    guard let point = session.stops.setEnabled(true, number) else {
      throw CommandError.noStopPoint(number)
    }
    return StopPointAnswer(point: point, change: "enabled")
  }
}
