import FluxInspector

/// The candidates for the end of a line that is being written.
public struct LineCompletions: Sendable, Equatable {
  /// The place of the word that a candidate replaces, in Unicode scalars from the start of the line; the word ends
  /// at the cursor.
  public let start: Int
  /// The candidates, the likeliest first.
  public let candidates: [String]

  /// Makes completions.
  public init(start: Int, candidates: [String]) {
    self.start = start
    self.candidates = candidates
  }
}

/// The end of a command line that is to be completed: the command, the argument, and the text that is there.
struct CompletionPlace {
  enum Subject {
    case command
    case option(of: CommandDescription)
    /// An argument, and the arguments before it.
    case argument(CompletionKind, of: CommandDescription, before: [String])
    /// The name of a file, after `>` or in a shell command.
    case file
  }

  let subject: Subject
  /// The start of the word, in scalars of the line.
  let start: Int
  /// The word so far, without quotes.
  let word: String
  let text: String

  /// Finds the place at the end of a line; nil if nothing can be completed.
  init?(_ line: String, _ table: CommandTable, aliases: [String: String]) {
    let scanner = LineScanner(line)
    let end = scanner.scalars.count
    let blanks = scanner.scalars.prefix(while: \.isLineBlank).count
    let name = CommandLine.name(in: String(line.unicodeScalars.dropFirst(blanks)))
    let nameEnd = blanks + name.unicodeScalars.count
    guard nameEnd < end else {
      (subject, start, word, text) = (.command, blanks, name, name)
      return
    }
    // An unknown command has no completions, and no error either.
    let full = CommandLine.name(in: CommandLine.expanded(name, table, aliases: aliases))
    let command: CommandDescription
    do throws(CommandError) {
      command = try table.command(named: full)
    } catch {
      return nil
    }
    var words = scanner.words(in: nameEnd..<end, marks: ["|", ">"])
    // An empty word stands where one can begin.
    let last = words.last?.upperBound == end ? words.removeLast() : end..<end
    start = last.lowerBound
    word = scanner.unquoted(last)
    text = scanner.text(last)
    guard Redirection.mark(in: scanner, from: nameEnd, of: command) == nil else {
      subject = .file
      return
    }
    let before = words.map { scanner.unquoted($0) }
    guard let found = Self.subject(word, before: before, of: command) else { return nil }
    subject = found
  }

  private static func subject(
    _ word: String, before: [String], of command: CommandDescription
  ) -> Subject? {
    let last = before.lastIndex { word in command.options.contains { $0.name == word } }
    if let last, let option = command.options.first(where: { $0.name == before[last] }),
      option.value != nil,
      // An expression goes on to the next option.
      last == before.count - 1 || option.isExpression && !word.hasPrefix("-")
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
