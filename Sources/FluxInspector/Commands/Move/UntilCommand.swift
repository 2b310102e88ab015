import FluxLog

/// The command `until EXPR`.
struct UntilCommand: Command {
  let name = "until"
  let aliases = ["u"]
  let group = CommandGroup.move
  let synopsis = "until [-r] EXPR"
  let summary = "go to the next step where an expression holds"
  let help = """
    EXPR is a logical expression of RFC 9535, in which paths may begin with the name of a store. \
    Beside its functions there are changed(PATH), which is true where the step changed it, and \
    was(PATH), the value before the step. Where no step matches, the session stays, and a batch \
    exits with 1.
    """
  let examples = ["until length(todos.items) > 3", "until -r changed(todos.items[0].done)"]
  let options = [CommandOption("-r", "go to the previous such step")]
  let arguments = ArgumentStyle.expression
  let completions = [CompletionKind.path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let expression = try arguments.expression(arguments.text)
    return try session.moveToNearest(
      .expression(expression), from: session.position,
      arguments.has("-r") ? .backwards : .forwards, stopped: .until)
  }
}

extension Session {
  /// Moves to the nearest step beyond a position that meets a condition; stays where there is none.
  mutating func moveToNearest(
    _ condition: StopCondition, from position: Int, _ direction: SearchDirection,
    stopped stop: MoveStop
  ) throws -> MoveAnswer {
    guard let found = try nearestStop(at: [condition], from: position, direction) else {
      return try moveAnswer(at: self.position, stopped: .none)
    }
    return try move(to: found.position, stopped: stop)
  }
}
