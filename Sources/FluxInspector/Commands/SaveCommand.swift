/// The command `save FILE`.
struct SaveCommand: Command {
  let description = CommandDescription(
    "save", group: .replay, synopsis: "save FILE [--force]",
    summary: "Write the fork as a log of its own",
    help: """
      The log starts in the states that the fork started in, and verifies like any other. A file that exists is \
      overwritten only with --force.

      What is redacted in the recording is redacted in the new log too: values at the redacted places, those of \
      actions if recorded ones of the same type have tokens, and the same texts wherever else they appear.
      """,
    examples: ["save without-7.jsonl"],
    options: [CommandOption("--force", "Overwrite a file that exists")], arguments: .words(1),
    completions: [.file])

  private struct SavedFork: CommandResult {
    let file: String
    let steps: Int
  }

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let path = try arguments.word("a file")
    let steps = try console.session.saveFork(
      to: path, replacesExisting: arguments.has("--force"))
    return Reply(SavedFork(file: path, steps: steps)) { result, text in
      try text.line("\(result.steps.counted("step")) saved to \(result.file)")
    }
  }
}
