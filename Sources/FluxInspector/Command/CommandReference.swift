/// The reference of all commands, made from what they say of themselves.
package enum CommandReference {
  /// The reference as Markdown: a section for each group, and in it one for each command.
  package static func markdown(of registry: CommandRegistry = .standard) -> String {
    var lines = [
      "# Commands of a session",
      "",
      "Made from the help of the commands; `help` shows the same. A command is found by its name, by an alias,",
      "or by the beginning of its name. `|` after a command sends its output to a shell command, `>` writes it",
      "to a file; both count outside of quotes, brackets and parentheses. A quote begins where a word or a value can",
      "begin: after a blank, a bracket, a comma, a colon or an operator. The apostrophe in `/a/it's` is none.",
    ]
    for group in CommandGroup.allCases {
      let commands = registry.commands.filter { $0.group == group }
      guard !commands.isEmpty else { continue }
      lines += ["", "## \(group.title)", "", "| command | what it does |", "|---|---|"]
      lines += commands.map { "| \(cell($0)) | \(escaped($0.summary)) |" }
      for command in commands { lines += [""] + section(command) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func cell(_ command: any Command) -> String {
    let aliases = command.aliases.map { "`\(escaped($0))`" }.joined(separator: ", ")
    let synopsis = "`\(escaped(command.synopsis))`"
    return aliases.isEmpty ? synopsis : "\(synopsis) (\(aliases))"
  }

  private static func section(_ command: any Command) -> [String] {
    var lines = ["### `\(command.name)`", "", "`\(command.synopsis)`: \(command.summary)."]
    lines += command.help.split(separator: "\n").flatMap { ["", prose(String($0))] }
    if !command.options.isEmpty {
      lines += ["", "| option | what it does |", "|---|---|"]
      lines += command.options.map { "| `\(escaped($0.text))` | \(escaped($0.summary)) |" }
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

  /// The text as it can stand in a table.
  private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
