import FluxInspector

extension Command {
  static let help = Command(
    "help", aliases: ["h", "?"], group: .shell, synopsis: "help [CMD]",
    summary: "List the commands, or explain one",
    help: """
      You can write the name of a command, an alias, or the beginning of the name.

      A position alone is a move: 17, +5, @2.5, todo/add#3.

      '|' after a command sends its output to a shell command, '>' writes it to a new file, and '>!' replaces a file. \
      If a command takes an expression, '>' compares, so use '>!' there. All of them, and the spaces \
      between words, count only outside quotes, brackets and parentheses. A quote begins where a word or a value \
      can begin: after a space, a bracket, a comma, a colon or an operator. Elsewhere an apostrophe is a letter: \
      print /a/it's.
      """,
    examples: ["help", "help goto"], arguments: .words(1), completions: [.command]
  ) { arguments, console in
    let table = console.registry.table
    guard let name = arguments.words.first else {
      return .commands(table.commands, isGrouped: true)
    }
    let command = try table.command(named: name)
    return Reply(CommandHelp(command, isWhole: true)) { _, text in try text.help(of: command) }
  }

  static let apropos = Command(
    "apropos", group: .shell, synopsis: "apropos WORD",
    summary: "List the commands whose help mentions a word",
    help: "Case does not matter.", examples: ["apropos breakpoint"], arguments: .raw
  ) { arguments, console in
    let word = arguments.text.lowercased()
    guard !word.isEmpty else { throw arguments.usage("a word is missing") }
    let commands = console.registry.table.commands.filter { command in
      ([command.synopsis, command.summary, command.help] + command.aliases).contains {
        $0.lowercased().contains(word)
      }
    }
    return .commands(commands, isGrouped: false)
  }
}

/// A command in a list: `{"name","aliases","synopsis","summary"}`, and alone with `"help","options","examples"`.
private struct CommandHelp: CommandResult {
  let name: String
  let aliases: [String]
  let synopsis: String
  let summary: String
  let help: String?
  let options: [CommandOption]?
  let examples: [String]?

  init(_ command: CommandDescription, isWhole: Bool) {
    (name, aliases) = (command.name, command.aliases)
    (synopsis, summary) = (command.synopsis, command.summary)
    help = isWhole ? command.help : nil
    options = isWhole ? command.shownOptions : nil
    examples = isWhole ? command.examples : nil
  }
}

/// Commands, a line each: `{"commands"}`.
private struct CommandList: CommandResult {
  let commands: [CommandHelp]

  /// 1 if no command was found.
  var exitCode: Int32 { commands.isEmpty ? 1 : 0 }
}

extension Reply {
  fileprivate static func commands(_ commands: [CommandDescription], isGrouped: Bool) -> Reply {
    Reply(CommandList(commands: commands.map { CommandHelp($0, isWhole: false) })) { _, text in
      if commands.isEmpty { try text.line("no matching commands", .dim) }
      let width = min(TextOutput.labelWidth, commands.map(\.label.count).max() ?? 0)
      guard isGrouped else { return try text.commands(commands, width: width) }
      for group in CommandGroup.allCases {
        let members = commands.filter { $0.group == group }
        guard !members.isEmpty else { continue }
        try text.line(group.title, .heading)
        try text.commands(members, width: width)
      }
    }
  }
}

extension CommandDescription {
  /// The form of a command line and the aliases for a list: `step [n] (s)`.
  fileprivate var label: String {
    aliases.isEmpty ? synopsis : "\(synopsis) (\(aliases.joined(separator: ", ")))"
  }
}

extension TextOutput {
  /// The columns of a list that the forms of command lines take; a longer one gets a separate line.
  fileprivate static let labelWidth = 22

  fileprivate mutating func commands(_ commands: [CommandDescription], width: Int) throws {
    for command in commands {
      let label = command.label
      let isLong = label.count > width
      if isLong { try wrapped("  \(label)", .action) } else { write("  \(label)", .action) }
      let blanks = isLong ? width + 4 : width - label.count + 2
      try explain(command.summary, indent: blanks)
    }
  }

  fileprivate mutating func help(of command: CommandDescription) throws {
    try wrapped(command.synopsis, .heading, endsLine: command.aliases.isEmpty)
    if !command.aliases.isEmpty {
      try wrapped("  (also \(command.aliases.joined(separator: ", ")))", .dim)
    }
    try wrapped(command.summary)
    for option in command.shownOptions {
      write("  \(option.text)", .action)
      try explain(option.summary, indent: 2)
    }
    try endLine()
    try paragraphs(command.help)
    guard !command.examples.isEmpty else { return }
    try endLine()
    for example in command.examples { try line("  \(example)", .dim) }
  }

  /// Writes an explanation behind `indent` blanks, or on separate lines where the terminal has no room for it there.
  private mutating func explain(_ summary: String, indent: Int) throws {
    let text = String(repeating: " ", count: indent) + summary
    if let screen, column + screen.width(of: text) > screen.columns {
      if column > 0 { try endLine() }
      try wrapped("      \(summary)")
    } else {
      try line(text)
    }
  }

  /// Writes paragraphs, with line breaks that fit the terminal; without one, they fit any.
  private mutating func paragraphs(_ text: String) throws {
    let width = min(76, screen?.columns ?? .max)
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > width {
          try self.line(line)
          line = ""
        }
        line += line.isEmpty ? String(word) : " \(word)"
      }
      try self.line(line)
    }
  }
}
