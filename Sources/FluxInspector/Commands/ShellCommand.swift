/// The command `!CMD`.
struct ShellCommand: Command {
  let description = CommandDescription(
    "!", group: .shell, synopsis: "!CMD", summary: "Run a shell command",
    help: """
      The rest of the line goes to the shell as it stands. A shell command with an exit status other than 0 has \
      failed. In JSON, its output is a part of the result.
      """,
    examples: ["!ls -l", "!git log -1"], arguments: .line, completions: [.file])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    guard !arguments.text.isEmpty else { throw arguments.usage("a shell command is missing") }
    let result = try console.session.services.shell.run(
      arguments.text, capturesOutput: console.settings.format != .text, input: nil)
    try result.requireSuccess(of: arguments.text)
    return .shell(result)
  }
}

/// The end of a shell command: `{"status","output"}`.
private struct ShellOutcome: CommandResult {
  let status: Int32
  let output: String
}

extension Reply {
  /// The end of a shell command; its text was shown as it came.
  static func shell(_ result: ShellResult) -> Reply {
    Reply(ShellOutcome(status: result.status, output: result.output)) { _, _ in }
  }
}
