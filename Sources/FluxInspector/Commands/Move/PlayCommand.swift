import FluxLog

/// The command `play [speed]`.
struct PlayCommand: Command {
  let name = "play"
  let group = CommandGroup.move
  let synopsis = "play [speed]"
  let summary = "walk forwards at the recorded pace, or faster"
  let help = """
    Shows each step as it passes and waits as long as the app did. Ends at the next stop point, at \
    the end of the log, or when it is interrupted, and stays there: all of it is one move.
    """
  let examples = ["play", "play 10", "play 0.5"]
  let arguments = ArgumentStyle.words(1)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let word = arguments.words.first ?? "1"
    guard let speed = Double(word), speed > 0, speed.isFinite else {
      throw arguments.usage("expected how many times as fast, found \(word)")
    }
    return try session.play(speed: speed)
  }
}
