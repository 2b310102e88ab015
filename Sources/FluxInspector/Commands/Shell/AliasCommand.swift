import FluxLog

/// The command `alias [NAME [TEXT]]`.
struct AliasCommand: Command {
  let name = "alias"
  let group = CommandGroup.shell
  let synopsis = "alias [-d] [NAME [TEXT]]"
  let summary = "let a name stand for the beginning of a command line"
  let help = """
    A line that begins with NAME is run as if it began with TEXT; what follows the name follows the \
    text. A name that is a command or its alias already cannot be taken. Without arguments all \
    aliases are listed.
    """
  let examples = ["alias items print todos.items", "alias items", "alias -d items"]
  let options = [CommandOption("-d", "delete the alias")]
  let arguments = ArgumentStyle.line

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    var text = arguments.text
    let isDeletion = text == "-d" || text.hasPrefix("-d ")
    if isDeletion { text = CommandLine.trimmed(String(text.dropFirst(2))) }
    let name = CommandLine.name(in: text)
    let expansion = CommandLine.trimmed(String(text.dropFirst(name.count)))
    guard !isDeletion else {
      guard let text = session.userAliases.removeValue(forKey: name) else {
        throw noAlias(name, in: session)
      }
      return AliasesAnswer(aliases: [name: text], areDeleted: true)
    }
    if name.isEmpty { return AliasesAnswer(aliases: session.userAliases) }
    guard !expansion.isEmpty else {
      guard let text = session.userAliases[name] else { throw noAlias(name, in: session) }
      return AliasesAnswer(aliases: [name: text])
    }
    guard session.registry.exactly(name) == nil, name != "!" else {
      throw arguments.usage("\(name) is a command already")
    }
    session.userAliases[name] = expansion
    return AliasesAnswer(aliases: [name: expansion])
  }

  private func noAlias(_ name: String, in session: Session) -> CommandError {
    let nearest = Spelling.nearest(to: name, among: session.userAliases.keys.sorted())
    return CommandError(
      .notFound, "no alias \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
  }
}
