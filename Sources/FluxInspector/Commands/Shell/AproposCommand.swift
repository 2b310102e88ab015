/// The command `apropos WORD`.
struct AproposCommand: Command {
  let name = "apropos"
  let group = CommandGroup.shell
  let synopsis = "apropos WORD"
  let summary = "list the commands whose help mentions a word"
  let help = "Capital letters do not matter."
  let examples = ["apropos breakpoint"]
  let arguments = ArgumentStyle.raw

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let word = arguments.text.lowercased()
    guard !word.isEmpty else { throw arguments.usage("a word is missing") }
    let commands = session.registry.commands.filter { command in
      ([command.synopsis, command.summary, command.help] + command.aliases).contains {
        $0.lowercased().contains(word)
      }
    }
    return CommandListAnswer(commands: commands, isGrouped: false)
  }
}
