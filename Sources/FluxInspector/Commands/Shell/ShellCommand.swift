/// The command `!CMD`.
struct ShellCommand: Command {
  let name = "!"
  let group = CommandGroup.shell
  let synopsis = "!CMD"
  let summary = "run a shell command"
  let help = """
    The rest of the line is given to the shell as it stands. A command that ends with another \
    status than 0 has failed. For programs its output is a part of the result.
    """
  let examples = ["!ls -l", "!git log -1"]
  let arguments = ArgumentStyle.line
  let completions = [CompletionKind.file]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard !arguments.text.isEmpty else { throw arguments.usage("a shell command is missing") }
    let result = try session.services.shell.run(
      arguments.text, capturesOutput: session.settings.format != .text, input: nil)
    try result.requireSuccess(of: arguments.text)
    return ShellAnswer(result: result)
  }
}
