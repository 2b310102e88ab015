import FluxInspector
import FluxLog

extension Command {
  static let step = Command(
    "step", aliases: ["s"], group: .move, synopsis: "step [n]",
    summary: "Go forwards by one step, or n",
    help: """
      Every recorded action is a step, even if it changed nothing or was rejected. The move stops at the end of \
      the log, with a note.
      """,
    examples: ["step", "step 10"], arguments: .words(1)
  ) { arguments, console in
    .move(try console.session.step(arguments.count()))
  }

  static let back = Command(
    "back", aliases: ["rs", "reverse-step"], group: .move, synopsis: "back [n]",
    summary: "Go backwards by one step, or n",
    help: "The move stops at the start of the log, with a note.",
    examples: ["back", "back 10"], arguments: .words(1)
  ) { arguments, console in
    .move(try console.session.step(arguments.count(), .backwards))
  }

  static let next = Command(
    "next", aliases: ["n"], group: .move, synopsis: "next [n|GLOB|EXPR|TEXT]",
    summary: "Go to the next root action",
    help: """
      A root action is a step without a cause: the user or the app dispatched it, not a follow-up, an observer \
      or an effect. The steps that this one caused are skipped. If there is no root action ahead, the move \
      ends at the end of the log. With a GLOB, an EXPR or a TEXT, this is 'until'.
      """,
    examples: ["next", "next 3", "next todo/*"], arguments: .expression,
    completions: [.filter, .path]
  ) { arguments, console in
    .move(try arguments.moveOverRoots(.forwards, in: &console.session))
  }

  static let prev = Command(
    "prev", aliases: ["rn", "reverse-next"], group: .move, synopsis: "prev [n|GLOB|EXPR|TEXT]",
    summary: "Go to the previous root action",
    help: """
      A root action is a step without a cause. The steps that it caused are skipped. If there is no root action \
      before this step, the move ends at the start of the log. With a GLOB, an EXPR or a TEXT, this is 'until -r'.
      """,
    examples: ["prev", "prev 3", "prev todo/*"], arguments: .expression,
    completions: [.filter, .path]
  ) { arguments, console in
    .move(try arguments.moveOverRoots(.backwards, in: &console.session))
  }

  static let play = Command(
    "play", group: .move, synopsis: "play [speed]",
    summary: "Step forwards at the recorded pace, or faster",
    help: """
      Shows each step and waits as long as the app did. Ends at the next stop point, at the end of the log, or \
      when you interrupt it, and stays there. 'undo' reverts the whole playback.
      """,
    examples: ["play", "play 10", "play 0.5"], arguments: .words(1), needsTerminal: true
  ) { arguments, console in
    let word = arguments.words.first ?? "1"
    guard let speed = Double(word), speed > 0, speed.isFinite else {
      throw arguments.usage("expected a multiple of the recorded speed, found \(word)")
    }
    let passing = console
    var shown: StepNumber?
    let move = try console.session.play(speed: speed) {
      try passing.emitPassed($0, of: "play")
      shown = $0.step
    }
    // An interruption ends at the step that was shown last.
    return shown == move.step ? Reply(move) { _, _ in } : .move(move)
  }
}

extension CommandArguments {
  /// Moves by a number of root actions, or to the nearest step that matches, as 'until' does.
  fileprivate func moveOverRoots(
    _ direction: SearchDirection, in session: inout Session
  ) throws -> Move {
    if text.isEmpty { return try session.stepOverRoots(1, direction) }
    if let count = Position.digits(text) {
      guard count > 0 else { throw usage("expected a number of steps, at least 1, found 0") }
      return try session.stepOverRoots(count, direction)
    }
    return try session.move(toNearest: try condition(in: session), direction)
  }
}
