/// A command line, taken apart: the command, its arguments, and where its output goes.
struct CommandLine {
  let command: any Command
  let arguments: CommandArguments
  let redirection: Redirection?

  /// Reads a line that is not empty.
  ///
  /// - Throws: ``CommandError`` of code `usage` where there is no such command, or its options or
  ///   arguments are not what it takes.
  init(
    _ line: String, registry: CommandRegistry, aliases: [String: String]
  ) throws(CommandError) {
    let name = Self.name(in: line)
    if registry.exactly(name) == nil, let text = aliases[name] {
      // What an alias stands for is not looked up as an alias again, so that none can go in circles.
      let expanded = text + String(line.dropFirst(name.count))
      self = try CommandLine(expanded, registry: registry, aliases: [:])
      return
    }
    let command = try registry.command(named: name)
    let scanner = LineScanner(line)
    let start = name.unicodeScalars.count
    var end = scanner.scalars.count
    var redirection: Redirection?
    if command.arguments != .line,
      let mark = Redirection.mark(
        in: scanner, from: start, takesExpression: command.arguments == .expression)
    {
      redirection = try Redirection(scanner, mark: mark)
      end = mark
    }
    self.command = command
    self.redirection = redirection
    arguments = try CommandArguments(scanner, start..<max(start, end), of: command)
  }

  /// The word that a line begins with: up to a blank or a redirection; `!` is a word of its own.
  static func name(in line: String) -> String {
    if line.hasPrefix("!") { return "!" }
    return String(line.prefix { !$0.isWhitespace && $0 != "|" && $0 != ">" })
  }

  /// The text without blanks around it.
  static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isLineBlank }),
      let last = scalars.lastIndex(where: { !$0.isLineBlank })
    else { return "" }
    return String(scalars[first...last])
  }
}
