/// The command `source FILE`.
struct SourceCommand: Command {
  let name = "source"
  let group = CommandGroup.shell
  let synopsis = "source FILE"
  let summary = "run the commands of a file"
  let help = """
    Each line is a command; empty lines and lines that begin with # are passed over. The first \
    command that fails ends it, unless the session was told to keep going.
    """
  let examples = ["source checks.flux"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.file]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let file = arguments.words.first else { throw arguments.usage("a file is missing") }
    return try session.source(file)
  }
}
