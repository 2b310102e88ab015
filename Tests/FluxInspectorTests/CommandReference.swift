import FluxCommands

/// The reference of all commands, generated from their descriptions.
enum CommandReference {
  static let glossary = [
    ("cause", "the earlier step that led to a step: by a follow-up, an observer or an effect"),
    (
      "effect",
      "asynchronous work that a step starts; its result is dispatched as another action"
    ),
    ("follow-up", "an action that a reducer asks for; it joins the queue after its step"),
    ("fork", "fresh stores that start in a recorded state; the recording itself never changes"),
    ("gap", "steps that are not in the log, for example because recording was paused"),
    ("in flight", "an action that was logged, but whose step was not written, as after a crash"),
    ("orphan", "a step on a fork whose recorded cause did not happen there"),
    ("model", "the states of all stores, as one object `{store: state}`"),
    ("position", "a place in the log: the state after a step, or before the first one"),
    ("root action", "a step without a cause: the user or the app dispatched it"),
    ("step", "a recorded action and the states after it; rejected actions are steps too"),
    ("stop point", "a breakpoint, a watchpoint or a catchpoint; moves stop there"),
  ]

  /// The reference as Markdown: a glossary, then a section for each group, and in it one for each command.
  static func markdown(of table: CommandTable = CommandRegistry.standard.table) -> String {
    var lines = [
      "# Commands of a session",
      "",
      "Generated from the help of the commands; `help` shows the same. You can write the name of a command, an alias,",
      "or the beginning of the name. A position alone is a move: `17`, `+5`, `@2.5`, `todo/add#3`. `|` after a command",
      "sends its output to a shell command, `>` writes it to a new file, and `>!` replaces a file. If a command takes",
      "an expression, `>` compares, so use `>!` there. All count only outside quotes, brackets and parentheses. A quote",
      "begins where a word or a value can begin: after a space, a bracket, a comma, a colon or an operator. The apostrophe",
      "in `/a/it's` is a letter.",
      "", "## Terms", "", "| term | meaning |", "|---|---|",
    ]
    lines += glossary.map { "| \($0.0) | \($0.1) |" }
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
