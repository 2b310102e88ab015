/// The command `source FILE`.
struct SourceCommand: Command {
  let description = CommandDescription(
    "source", group: .shell, synopsis: "source FILE", summary: "Run the commands of a file",
    help: """
      Each line is a command; empty lines and lines that begin with # are skipped. The first command that fails \
      ends it, unless the session was started with --keep-going.
      """,
    examples: ["source checks.flux"], arguments: .words(1), completions: [.file])

  private struct SourcedFile: CommandResult {
    let commands: Int
    let exitCode: Int32

    enum CodingKeys: CodingKey { case commands }
  }

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let (count, exitCode) = try console.source(try arguments.word("a file"))
    // Every command has shown its own output.
    return Reply(SourcedFile(commands: count, exitCode: exitCode)) { _, _ in }
  }
}
