import FluxLog

/// The command `last PATH`.
struct LastCommand: Command {
  let name = "last"
  let group = CommandGroup.move
  let synopsis = "last PATH"
  let summary = "go to the last step before here that changed a value"
  let help = """
    Asked again, it goes to the one before. The initial value was written by no step: where only \
    that is left, the session stays, and a batch exits with 1.
    """
  let examples = ["last todos.items[0].done"]
  let arguments = ArgumentStyle.raw
  let completions = [CompletionKind.path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let path = try arguments.path(arguments.text)
    let answer = try session.moveToNearest(
      .change(path, where: nil), from: session.position, .backwards, stopped: .goto)
    if answer.stop == .none { try session.noteMiss(of: path) }
    return answer
  }
}

extension Session {
  /// Says that a path selects nothing here, and what was probably meant.
  mutating func noteMiss(of path: Path) throws {
    guard try path.miss(in: timeline.document(at: position)) != nil else { return }
    notes.append(try missing(path).message)
  }
}
