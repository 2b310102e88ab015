import FluxInspector
import FluxSystem

extension Command {
  static let fork = Command(
    "fork", group: .replay, synopsis: "fork [POS]",
    summary: "Make a fork here: fresh stores in this state",
    help: """
      A fork is a set of fresh stores of the app that start in the states here, or at POS. From then on 'dispatch' \
      goes to the fork; the recording never changes. Follow-ups, the actions that reducers ask for, are dispatched. \
      Effects do not run. If the app went back to another model right before the step here, 'fork -1' starts in that model.

      On a fork, step, back, next, prev, continue, reverse-continue, until and cause move over its steps, and \
      stop there at stop points. Without a position, state, print, display, action, where and diff show the \
      step here. 'dispatch' at an earlier step makes another fork. All other commands work on the recording. \
      For them, here is the recorded step that the fork's step repeats, or else the step at which the fork left the \
      recording; for shrink, always the latter. Commands such as 'goto' return to the recording, and 'switch N' \
      returns to the fork's newest step.
      """,
    examples: ["fork", "fork -1", "fork todo/add#3"], arguments: .words(1),
    completions: [.position]
  ) { arguments, console in
    let position = try arguments.words.first.map { try arguments.position($0) } ?? .here
    return .fork(try console.session.fork(at: position))
  }

  static let forks = Command(
    "forks", group: .replay, summary: "List the forks",
    help:
      "Each is shown with the step after which it leaves the recording. * marks the current fork."
  ) { arguments, console in
    Reply(console.session.forks) { list, text in
      for fork in list.forks {
        text.write(fork.number == list.current ? "* " : "  ")
        try text.fork(fork)
      }
      if list.forks.isEmpty { try text.line("no forks", .dim) }
    }
  }

  static let `switch` = Command(
    "switch", group: .replay, synopsis: "switch N",
    summary: "Go to a fork, or back to the recording",
    help: "N is the number of a fork, or 0 for the recording. 'forks' lists the numbers.",
    examples: ["switch 1", "switch 0"], arguments: .words(1), completions: [.fork]
  ) { arguments, console in
    let number = try arguments.number(of: "fork")
    guard number != 0 else { return .move(try console.session.switchToRecording()) }
    return .fork(try console.session.switchToFork(number))
  }

  static let drop = Command(
    "drop", group: .replay, synopsis: "drop N", summary: "Remove a fork",
    help:
      "Its number is not used again. If it is the current fork, the session goes back to the recording.",
    examples: ["drop 1"], arguments: .words(1), completions: [.fork]
  ) { arguments, console in
    .fork(
      try console.session.dropFork(try arguments.number(of: "fork")), remark: "dropped")
  }

  static let save = Command(
    "save", group: .replay, synopsis: "save FILE [--force]",
    summary: "Write the fork to a separate log",
    help: """
      The log starts in the states that the fork started in, and verifies like any other. A file that exists is \
      overwritten only with --force.

      What is redacted in the recording is redacted in the new log too: values at the redacted places, \
      payloads that are tokens in recorded actions of the same type, and the same texts elsewhere.
      """,
    examples: ["save without-7.jsonl"],
    options: [.force], arguments: .words(1),
    completions: [.file], needsTerminal: true
  ) { arguments, console in
    let path = try arguments.word("a file")
    let steps = try console.session.saveFork(
      to: path, replacesExisting: arguments.has("--force"))
    return Reply(SavedFork(file: path, steps: steps)) { result, text in
      try text.line("\(result.steps.counted("step")) saved to \(result.file)")
    }
  }

  private struct SavedFork: CommandResult {
    let file: String
    let steps: Int
  }
}

extension Reply {
  /// The same reply with a note on a fork: the command reads the recording there, too.
  func ofRecording(_ command: String, _ console: Console) -> Reply {
    guard let fork = console.session.currentFork else { return self }
    return adding([
      "\(command) reads the recording, which fork \(fork.number) left after step \(fork.base); "
        + "list alone lists the fork"
    ])
  }

  static func fork(_ fork: ForkSummary, remark: String? = nil) -> Reply {
    Reply(fork) { try $1.fork($0, remark: remark) }
  }
}

extension TextOutput {
  /// Writes a fork on one line: `fork 1 after step 4, 2 steps`.
  fileprivate mutating func fork(_ fork: ForkSummary, remark: String? = nil) throws {
    write("fork \(fork.number)", .heading)
    write(" after step ")
    write("\(fork.base)", .number)
    write(", \(fork.stepCount.counted("step"))")
    if let remark { write(": \(remark)", .dim) }
    try endLine()
  }
}
