import FluxLog

extension Command {
  static let play = Command(
    "play", group: .move, synopsis: "play [speed]",
    summary: "Walk forwards at the recorded pace, or faster",
    help: """
      Shows each step and waits as long as the app did. Ends at the next stop point, at the end of the log, or \
      when you interrupt it, and stays there. All of it is one move.
      """,
    examples: ["play", "play 10", "play 0.5"], arguments: .words(1)
  ) { arguments, console in
    let word = arguments.words.first ?? "1"
    guard let speed = Double(word), speed > 0, speed.isFinite else {
      throw arguments.usage("expected a multiple of the recorded speed, found \(word)")
    }
    let passing = console
    return .move(
      try console.session.play(speed: speed) { try passing.emitPassed($0, of: "play") })
  }

  static let browse = Command(
    "browse", group: .move, summary: "Walk with the arrow keys, one key a step",
    help: """
      Left and Right go one step, Up and Down to the previous and next root action, Home and End to the ends of \
      the log. q, Return or Escape ends it. Every key is one move for undo.
      """
  ) { arguments, console in
    guard let keys = console.session.services.keys else {
      throw arguments.usage("there are no keys without a terminal", hint: "use step and back")
    }
    var move = try console.session.here(stopped: .step)
    try keys.read { key in
      move = try console.session.move(by: key)
      try console.emitPassed(move, of: "browse")
    }
    // People have seen the step already.
    guard console.settings.format == .text else { return .move(move) }
    return Reply(Done()) { _, _ in }.adding(move.notes)
  }
}

extension Session {
  fileprivate mutating func move(by key: Key) throws -> Move {
    switch key {
    case .left: try step(1, .backwards)
    case .right: try step(1, .forwards)
    case .up: try stepOverRoots(1, .backwards)
    case .down: try stepOverRoots(1, .forwards)
    case .home: try moveToStart()
    case .end: try moveToEnd()
    }
  }
}
