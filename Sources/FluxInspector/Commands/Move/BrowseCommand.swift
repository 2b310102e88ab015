import FluxLog

/// The command `browse`.
struct BrowseCommand: Command {
  let name = "browse"
  let group = CommandGroup.move
  let synopsis = "browse"
  let summary = "walk with the arrow keys, one key a step"
  let help = """
    Left and Right go one step, Up and Down to the previous and next root action, Home and End to \
    the ends of the log. q, Return or Escape ends it. Every key is one move for undo.
    """
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let keys = session.services.keys else {
      throw arguments.usage("there are no keys without a terminal", hint: "use step and back")
    }
    var answer = try session.moveAnswer(at: session.position, stopped: .step)
    try keys.read { key in
      answer = try session.move(by: key)
      try session.emit(answer, of: name)
    }
    // People have seen it.
    return session.settings.format == .text ? EmptyAnswer() : answer
  }
}

extension Session {
  fileprivate mutating func move(by key: Key) throws -> MoveAnswer {
    switch key {
    case .left: try move(1, .backwards)
    case .right: try move(1, .forwards)
    case .up: try moveOverRoots(1, .backwards)
    case .down: try moveOverRoots(1, .forwards)
    case .home: try move(to: Timeline.start, stopped: .start)
    case .end: try move(to: try lastPosition(), stopped: .end)
    }
  }
}
