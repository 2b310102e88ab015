/// The command `help [CMD]`.
struct HelpCommand: Command {
  let name = "help"
  let aliases = ["h", "?"]
  let group = CommandGroup.shell
  let synopsis = "help [CMD]"
  let summary = "list the commands, or explain one"
  let help = """
    A command is found by its name, an alias, or the beginning of its name.

    '|' after a command sends its output to a shell command, '>' writes it to a file. Both, and the \
    blanks between words, count outside of quotes, brackets and parentheses. A quote begins where a \
    word or a value can begin: after a blank, a bracket, a comma, a colon or an operator. Elsewhere \
    an apostrophe is a letter like others: print /a/it's.
    """
  let examples = ["help", "help goto"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.command]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let name = arguments.words.first else {
      return CommandListAnswer(commands: session.registry.commands, isGrouped: true)
    }
    return HelpAnswer(command: try session.registry.command(named: name))
  }
}
