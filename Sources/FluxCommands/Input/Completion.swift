import FluxInspector
import FluxLog
import FluxReplay

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

/// Completes command lines: commands, options, stores, types of actions by frequency, paths from the current state,
/// bookmarks, settings, files.
///
/// Changes nothing, and waits for nothing: it does not offer what is not indexed yet.
struct Completer {
  let session: Session
  let table: CommandTable
  let aliases: [String: String]
  let settings: [(name: String, values: [String])]

  /// Returns the candidates at a place of a line, and the place of the word that they replace.
  ///
  /// The cursor is in Unicode scalars; nil for the end. The text behind it does not count. There are no candidates if nothing
  /// can be completed there.
  func completions(of line: String, cursor: Int? = nil) -> LineCompletions {
    let scalars = line.unicodeScalars
    let count = min(max(0, cursor ?? scalars.count), scalars.count)
    let written = String(String.UnicodeScalarView(scalars.prefix(count)))
    guard let place = CompletionPlace(written, table, aliases: aliases) else {
      return LineCompletions(start: count, candidates: [])
    }
    do {
      return try completions(at: place, end: count)
    } catch {
      // A line cannot be read, or a state is unknown: the command itself will say why.
      return LineCompletions(start: place.start, candidates: [])
    }
  }

  private func completions(at place: CompletionPlace, end: Int) throws -> LineCompletions {
    let candidates: [String]
    switch place.subject {
    case .command:
      candidates = (table.commands.map(\.name) + aliases.keys).filter {
        $0.hasPrefix(place.word)
      }.sorted()
    case .option(let command):
      candidates = command.shownOptions.map(\.name).filter { $0.hasPrefix(place.word) }
    case .file:
      candidates = session.services.files.completions(of: place.word).map(\.commandWord)
    case .argument(let kind, let command, let before):
      switch kind {
      case .path: return try pathCompletions(at: place, of: command, end: end)
      case .pathOr(let other):
        guard case .words = command.arguments else {
          return try pathCompletions(at: place, or: other, of: command, end: end)
        }
        candidates = try wordCompletions(at: place, or: other)
        return LineCompletions(start: place.start, candidates: candidates)
      default: break
      }
      let quotes = command.arguments != .line
      candidates = self.candidates(kind, place.word, before: before)
        .map { quotes ? $0.commandWord : $0 }
    }
    return LineCompletions(start: place.start, candidates: candidates)
  }

  private func candidates(
    _ kind: CompletionKind, _ word: String, before: [String]
  ) -> [String] {
    let all: [String]
    switch kind {
    case .position: all = positions()
    case .range:
      guard let dots = word.firstRange(of: "..") else {
        all = positions()
        break
      }
      let from = word[..<dots.upperBound]
      all = positions().map { from + $0 }
    case .actionType: all = TypeCount.all(in: session.log).map(\.type)
    case .store: all = session.log.storeNames
    case .bookmark: all = session.bookmarks().bookmarks.map(\.name)
    case .display: all = session.displays.map { String($0.number) }
    case .stopPoint: all = session.stopPoints.breakpoints.map { String($0.number) }
    case .fork: all = session.forks.forks.map { String($0.number) }
    case .setting: all = settings.map(\.name)
    case .settingValue:
      all = settings.first { $0.name == before.last }?.values ?? []
    case .command: all = table.commands.map(\.name)
    case .file: return session.services.files.completions(of: word)
    case .words(let words): all = words
    case .path, .pathOr: all = []
    }
    return all.filter { $0.hasPrefix(word) }
  }

  /// The beginnings of positions; the number of an occurrence follows the type of the action.
  private func positions() -> [String] {
    ["start", "end"] + session.bookmarks().bookmarks.map { "$\($0.name)" }
      + (TypeCount.all(in: session.log).map { "\($0.type)#" })
  }

  /// Completes the last path of an expression, or something else in its place.
  private func pathCompletions(
    at place: CompletionPlace, or other: CompletionKind? = nil, of command: CommandDescription,
    end: Int
  ) throws -> LineCompletions {
    let path = PathFragment(endOf: place.text)
    var candidates = try session.candidates(of: path)
    let start = end - path.text.unicodeScalars.count
    if let other, path.text == place.text {
      let words = self.candidates(other, place.word, before: [])
      candidates = words.map(\.commandWord) + candidates
    }
    // A command that takes one text as it stands takes a path alone.
    if command.arguments != .raw, !path.text.isEmpty {
      candidates += PathFragment.functions.filter { $0.hasPrefix(path.text) }
    }
    return LineCompletions(start: start, candidates: candidates)
  }

  /// Completes a word that is a path or something else; a path with blanks or quotes is no word.
  private func wordCompletions(
    at place: CompletionPlace, or other: CompletionKind
  ) throws -> [String] {
    let words = candidates(other, place.word, before: []).map(\.commandWord)
    let path = PathFragment(endOf: place.text)
    guard path.text == place.word else { return words }
    let paths = try session.candidates(of: path)
    return words
      + paths.filter { path in
        !words.contains(path) && !path.contains { $0.isWhitespace || "'\"".contains($0) }
      }
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
    let full = aliases[name].map { CommandLine.name(in: $0) } ?? name
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
