/// The place at the end of a command line where something is to be completed: which command it
/// belongs to, which of its arguments it is, and what of it is there already.
struct CompletionPlace {
  enum Subject {
    /// The name of a command.
    case command
    /// The name of an option.
    case option(of: any Command)
    /// An argument; the arguments before it.
    case argument(CompletionKind, of: any Command, before: [String])
    /// The name of a file, after `>` or in a shell command.
    case file
  }

  let subject: Subject
  /// Where the word begins, in scalars of the line.
  let start: Int
  /// The word as far as it is there, without quotes.
  let word: String
  /// The word as it is written.
  let text: String

  /// Finds the place at the end of a line; nil where nothing is to be completed.
  init?(_ line: String, registry: CommandRegistry, aliases: [String: String]) {
    let scanner = LineScanner(line)
    let end = scanner.scalars.count
    let blanks = scanner.scalars.prefix(while: \.isLineBlank).count
    let name = CommandLine.name(in: String(line.unicodeScalars.dropFirst(blanks)))
    let nameEnd = blanks + name.unicodeScalars.count
    guard nameEnd < end else {
      (subject, start, word, text) = (.command, blanks, name, name)
      return
    }
    // Who completes does not want to hear that there is no such command.
    guard let command = Self.command(name, registry, aliases) else { return nil }
    let words = Self.words(in: nameEnd..<end, of: scanner)
    let last = words[words.count - 1]
    start = last.lowerBound
    word = scanner.unquoted(last)
    text = scanner.text(last)
    let mark =
      command.arguments == .line
      ? nil
      : Redirection.mark(
        in: scanner, from: nameEnd, takesExpression: command.arguments == .expression)
    guard mark == nil else {
      subject = .file
      return
    }
    let before = words.dropLast().map { scanner.unquoted($0) }
    guard let found = Self.subject(word, before: before, of: command) else { return nil }
    subject = found
  }

  private static func command(
    _ name: String, _ registry: CommandRegistry, _ aliases: [String: String]
  ) -> (any Command)? {
    let name = aliases[name].map { CommandLine.name(in: $0) } ?? name
    if let command = registry.exactly(name) { return command }
    let candidates = registry.commands.filter { $0.name.hasPrefix(name) }
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// The words of a stretch, and an empty one where the line ends with a blank or a sign after
  /// which a word begins.
  private static func words(in range: Range<Int>, of line: LineScanner) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for place in range {
      let scalar = line.scalars[place]
      let separates = scalar.isLineBlank || (line.isFree[place] && (scalar == "|" || scalar == ">"))
      if separates, line.isFree[place] {
        if let begun = start { words.append(begun..<place) }
        start = nil
      } else {
        start = start ?? place
      }
    }
    words.append((start ?? range.upperBound)..<range.upperBound)
    return words
  }

  private static func subject(
    _ word: String, before: [String], of command: any Command
  ) -> Subject? {
    if let last = before.last, let option = command.options.first(where: { $0.name == last }),
      option.value != nil
    {
      return option.completion.map { .argument($0, of: command, before: []) }
    }
    if word.hasPrefix("-"), !command.options.isEmpty { return .option(of: command) }
    var arguments = before
    arguments.removeAll { word in command.options.contains { $0.name == word } }
    let index = min(arguments.count, command.completions.count - 1)
    guard index >= 0 else { return nil }
    if case .filter = command.completions[0], arguments.last == "in" {
      return .argument(.range, of: command, before: arguments)
    }
    return .argument(command.completions[index], of: command, before: arguments)
  }
}
