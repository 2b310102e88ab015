import FluxCommands

/// The reference of all commands, generated from their descriptions.
enum CommandReference {
  /// The reference as Markdown: a section for each group, and in it one for each command.
  static func markdown(of table: CommandTable = CommandRegistry.standard.table) -> String {
    var lines = [
      "# Session commands",
      "",
      "This page is generated from the help of the commands, which `help` shows as well. [Terms](terms.md) defines the words used in it.",
      "",
      "You can write the name of a command, an alias, or the beginning of the name. A position alone is a move: `17`,",
      "`+5`, `@2.5`, `todo/add#3`. `|` after a command sends its output to a shell command, `>` writes it to a new file,",
      "and `>!` replaces a file. If a command takes an expression, `>` compares, so use `>!` there. All count only outside",
      "quotes, brackets and parentheses. A quote begins where a word or a value can begin: after a space, a bracket, a",
      "comma, a colon or an operator. The apostrophe in `/a/it's` is a letter.",
    ]
    for group in CommandGroup.allCases {
      let commands = table.commands.filter { $0.group == group }
      guard !commands.isEmpty else { continue }
      lines += ["", "## \(group.title)", "", "| command | effect |", "|---|---|"]
      lines += commands.map { "| \(cell($0)) | \(escaped($0.summary)) |" }
      for command in commands { lines += [""] + section(command) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func cell(_ command: CommandDescription) -> String {
    let aliases = command.aliases.map { "`\(escaped($0))`" }.joined(separator: ", ")
    let synopsis = "`\(escaped(command.synopsis))`"
    return aliases.isEmpty ? synopsis : "\(synopsis) (\(aliases))"
  }

  private static func section(_ command: CommandDescription) -> [String] {
    var lines = ["### `\(command.name)`", "", "`\(command.synopsis)`: \(prose(command.summary))."]
    lines += command.help.split(separator: "\n").flatMap { ["", prose(String($0))] }
    if !command.shownOptions.isEmpty {
      lines += ["", "| option | effect |", "|---|---|"]
      lines += command.shownOptions.map { "| `\(escaped($0.text))` | \(escaped($0.summary)) |" }
    }
    if !command.examples.isEmpty { lines += ["", "```"] + command.examples + ["```"] }
    return lines
  }

  /// The text without meaning for Markdown.
  private static func prose(_ text: String) -> String {
    let special: Set<Character> = ["*", "_", "<", "[", "]", "`", "\\", "#"]
    return text.reduce(into: "") { prose, character in
      if special.contains(character) { prose += "\\" }
      prose.append(character)
    }
  }

  private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
