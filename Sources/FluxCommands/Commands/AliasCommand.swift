import FluxInspector
import FluxJSON

extension Command {
  static let alias = Command(
    "alias", group: .shell, synopsis: "alias [-d] [NAME [TEXT]]",
    summary: "Define a name for the beginning of a command line",
    help: """
      A line that begins with NAME runs as if it began with TEXT; the rest of the line follows the text. NAME \
      cannot be the name of a command or of a command's alias. Without arguments, all aliases are listed.
      """,
    examples: ["alias items print todos.items", "alias items", "alias -d items"],
    options: [CommandOption("-d", "Delete the alias")], arguments: .line,
    needsTerminal: true
  ) { arguments, console in
    let (isDeletion, name, expansion) = try arguments.deletable()
    guard !isDeletion else {
      guard !name.isEmpty else { throw arguments.usage("the name of the alias is missing") }
      guard let text = console.userAliases.removeValue(forKey: name) else {
        throw noAlias(name, in: console)
      }
      return reply(AliasList(deleted: OrderedMembers([(name, text)])))
    }
    if name.isEmpty {
      let aliases = console.userAliases.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      return reply(AliasList(aliases: OrderedMembers(aliases)))
    }
    // As shells and other debuggers write it; the name would otherwise be one that nobody types.
    guard !name.contains("="), !expansion.hasPrefix("=") else {
      let parts = arguments.text.split(separator: "=", maxSplits: 1)
      let words = parts.map { CommandLine.trimmed(String($0)) }.joined(separator: " ")
      throw CommandError(
        .usage, "alias: there is no = between the name and the text", hint: "alias \(words)")
    }
    guard !expansion.isEmpty else {
      guard let text = console.userAliases[name] else { throw noAlias(name, in: console) }
      return reply(AliasList(aliases: OrderedMembers([(name, text)])))
    }
    guard console.registry.table.exactly(name) == nil, name != "!" else {
      throw arguments.usage("\(name) is already a command")
    }
    guard Position(name) == nil else {
      throw arguments.usage("\(name) is a position, and a move to it")
    }
    console.userAliases[name] = expansion
    return reply(AliasList(aliases: OrderedMembers([(name, expansion)])))
  }

  private struct AliasList: CommandResult {
    var aliases: OrderedMembers<String>?
    var deleted: OrderedMembers<String>?
  }

  private static func reply(_ list: AliasList) -> Reply {
    Reply(list) { list, text in
      for (name, expansion) in list.aliases?.members ?? [] {
        text.write(name, .heading)
        try text.line(" \(expansion)")
      }
      for (name, expansion) in list.deleted?.members ?? [] {
        text.write(name, .heading)
        try text.line(" deleted; it stood for \(expansion)")
      }
      if list.aliases?.members.isEmpty == true { try text.line("no aliases", .dim) }
    }
  }

  private static func noAlias(_ name: String, in console: Console) -> CommandError {
    let question = Spelling.question(name, among: console.userAliases.keys.sorted())
    return CommandError(.notFound, "no alias \(name)\(question)")
  }
}
