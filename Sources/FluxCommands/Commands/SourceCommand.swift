import FluxInspector

extension Command {
  static let source = Command(
    "source", group: .shell, synopsis: "source FILE", summary: "Run the commands of a file",
    help: """
      Each line is a command; empty lines and lines that begin with # are skipped. The first command that fails \
      ends it, unless the session was started with --keep-going.
      """,
    examples: ["source checks.flux"], arguments: .words(1), completions: [.file],
    needsTerminal: true
  ) { arguments, console in
    let (count, exitCode) = try console.source(try arguments.word("a file"))
    // Every command has shown its own output.
    return Reply(SourcedFile(commands: count, exitCode: exitCode)) { _, _ in }
  }

  private struct SourcedFile: CommandResult {
    let commands: Int
    let exitCode: Int32

    enum CodingKeys: CodingKey { case commands }
  }

  static let shell = Command(
    "!", group: .shell, synopsis: "!CMD", summary: "Run a shell command",
    help: """
      The rest of the line goes to the shell as it is. A shell command with an exit status other than 0 has \
      failed. In JSON, its output is a part of the result.
      """,
    examples: ["!ls -l", "!git log -1"], arguments: .line, completions: [.file], needsTerminal: true
  ) { arguments, console in
    guard !arguments.text.isEmpty else { throw arguments.usage("a shell command is missing") }
    let result = try console.session.services.shell.run(
      arguments.text, capturesOutput: console.settings.format != .text, input: nil)
    try result.requireSuccess(of: arguments.text)
    // Its text was shown as it came.
    return Reply(result) { _, _ in }
  }

  static let quit = Command(
    "quit", aliases: ["q", "exit"], group: .shell, synopsis: "quit [CODE]",
    summary: "End the session",
    help: """
      CODE, from 0 to 255, is the exit code of the program. Without it, the exit code is that of the first \
      command that failed.
      """,
    examples: ["quit", "quit 1"], arguments: .words(1), needsTerminal: true
  ) { arguments, console in
    let reply = Reply(Done()) { _, _ in }
    guard let word = arguments.words.first else {
      console.ending = .plain
      return reply
    }
    guard let code = UInt8(word) else {
      throw arguments.usage("expected a code from 0 to 255, found \(word)")
    }
    console.ending = .code(Int32(code))
    return reply
  }
}
