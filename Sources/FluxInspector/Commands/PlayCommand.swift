/// The command `play [speed]`.
struct PlayCommand: Command {
  let description = CommandDescription(
    "play", group: .move, synopsis: "play [speed]",
    summary: "Walk forwards at the recorded pace, or faster",
    help: """
      Shows each step and waits as long as the app did. Ends at the next stop point, at the end of the log, or \
      when you interrupt it, and stays there. All of it is one move.
      """,
    examples: ["play", "play 10", "play 0.5"], arguments: .words(1))

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let word = arguments.words.first ?? "1"
    guard let speed = Double(word), speed > 0, speed.isFinite else {
      throw arguments.usage("expected a multiple of the recorded speed, found \(word)")
    }
    let passing = console
    return .move(
      try console.session.play(speed: speed) { try passing.emitPassed($0, of: description.name) })
  }
}
