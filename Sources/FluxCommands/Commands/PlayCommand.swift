import FluxInspector
import FluxLog

extension Command {
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
