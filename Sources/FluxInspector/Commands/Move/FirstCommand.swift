import FluxLog

/// The command `first PATH`.
struct FirstCommand: Command {
  let name = "first"
  let group = CommandGroup.move
  let synopsis = "first PATH"
  let summary = "go to the first step of the log that changed a value"
  let help = """
    The initial value was written by no step. Where no step of the log changed it, the session \
    stays, and a batch exits with 1.
    """
  let examples = ["first todos.items[0].done"]
  let arguments = ArgumentStyle.raw
  let completions = [CompletionKind.path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let path = try arguments.path(arguments.text)
    let answer = try session.moveToNearest(
      .change(path, where: nil), from: Timeline.start, .forwards, stopped: .goto)
    if answer.stop == .none { try session.noteMiss(of: path) }
    return answer
  }
}
