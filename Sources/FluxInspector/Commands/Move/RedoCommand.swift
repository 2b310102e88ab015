/// The command `redo`.
struct RedoCommand: Command {
  let name = "redo"
  let group = CommandGroup.move
  let synopsis = "redo"
  let summary = "make the move again that was undone last"
  let help = "A move of another kind forgets what was undone."
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.walkHistory(missing: "there is no undone move to make again") { $0.redo() }
  }
}

extension Session {
  /// Walks the history of moves by one, where there is one.
  mutating func walkHistory(
    missing: String, _ walk: (inout JumpHistory) -> Bool
  ) throws -> MoveAnswer {
    var jumps = jumps
    guard walk(&jumps) else { throw CommandError(.notFound, missing) }
    let answer = try moveAnswer(at: jumps.current, stopped: .goto)
    self.jumps = jumps
    return answer
  }
}
