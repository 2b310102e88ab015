/// The command `delete N`.
struct DeleteCommand: Command {
  let name = "delete"
  let group = CommandGroup.stop
  let synopsis = "delete N"
  let summary = "delete a stop point"
  let help = "Its number is not used again. The numbers are in the list of breakpoints."
  let examples = ["delete 1"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.stopPoint]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let number = try arguments.stopPointNumber()
    guard let point = session.stops.remove(number) else {
      throw CommandError.noStopPoint(number)
    }
    return StopPointAnswer(point: point, change: "deleted")
  }
}
