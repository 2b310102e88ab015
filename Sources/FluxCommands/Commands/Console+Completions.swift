import FluxInspector
import FluxLog
import FluxReplay

extension Console {
  /// Completes a command line that is being written.
  ///
  /// Offers commands, options, stores, types of actions by frequency, paths from the current state, bookmarks, settings and
  /// files. Changes nothing, and waits for nothing: it does not offer what is not indexed yet.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - cursor: The place in Unicode scalars; nil for the end. The text behind it does not count.
  /// - Returns: The candidates, and the place of the word that they replace.
  public func completions(of line: String, cursor: Int? = nil) -> LineCompletions {
    let scalars = line.unicodeScalars
    let count = min(max(0, cursor ?? scalars.count), scalars.count)
    let written = String(String.UnicodeScalarView(scalars.prefix(count)))
    guard let place = CompletionPlace(written, registry.table, aliases: userAliases) else {
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
      candidates = (registry.table.commands.map(\.name) + userAliases.keys).filter {
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
    case .setting: all = Setting.all.map(\.name)
    case .settingValue:
      all = Setting.all.first { $0.name == before.last }?.values ?? []
    case .command: all = registry.table.commands.map(\.name)
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
