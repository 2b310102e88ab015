import FluxReplay

/// The command `verify [RANGE]`.
struct VerifyCommand: Command {
  let description = CommandDescription(
    "verify", group: .replay, synopsis: "verify [RANGE]",
    summary: "Replay the log in fresh stores, and compare",
    help: """
      Dispatches the actions of the log, or those of RANGE, in fresh stores of the app, with the recorded \
      numbers, times and random numbers. It compares the outcome of each step, its states, and its follow-ups \
      (actions that reducers ask for). The first step that diverges ends it. A batch then exits with 1, and with 5 \
      if nothing could be run.

      The position does not change; the report suggests commands to continue with.
      """,
    examples: ["verify", "verify 100..200"], arguments: .words(1), completions: [.range])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let range = try arguments.words.first.map { try arguments.range($0) }
    return Reply(try console.session.verify(range)) { result, text in
      let lines = result.report.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (place, line) in lines.dropLast().enumerated() {
        try text.line(String(line), place == 0 ? .heading : .plain)
      }
    }
  }
}
