import FluxLog

extension Session {
  /// Completes a command line that is being written: commands, options, stores, types of actions by
  /// frequency, paths from the current state, bookmarks, settings, files.
  ///
  /// Changes nothing, and waits for nothing: what is not indexed yet is not offered. Whatever
  /// cannot be completed has no candidates.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - cursor: Where in it, in Unicode scalars; nil for its end. What is behind the cursor does not
  ///     count.
  /// - Returns: The candidates, and the place of the word that they take the place of.
  public func completions(of line: String, cursor: Int? = nil) -> Completions {
    let scalars = line.unicodeScalars
    let count = min(max(0, cursor ?? scalars.count), scalars.count)
    let written = String(String.UnicodeScalarView(scalars.prefix(count)))
    guard let place = CompletionPlace(written, registry: registry, aliases: userAliases) else {
      return Completions(start: count, candidates: [])
    }
    do {
      return try completions(at: place, end: count)
    } catch {
      // A line cannot be read, or a state is not known: there is nothing to offer, and the command
      // itself will say why.
      return Completions(start: place.start, candidates: [])
    }
  }

  private func completions(at place: CompletionPlace, end: Int) throws -> Completions {
    let candidates: [String]
    switch place.subject {
    case .command:
      candidates = (registry.commands.map(\.name) + userAliases.keys).filter {
        $0.hasPrefix(place.word)
      }.sorted()
    case .option(let command):
      candidates = command.options.map(\.name).filter { $0.hasPrefix(place.word) }
    case .file:
      candidates = services.files.completions(of: place.word).map(\.quotedWord)
    case .argument(let kind, let command, let before):
      guard kind != .path, kind != .filter else {
        return try expressionCompletions(at: place, kind, of: command, end: end)
      }
      let quotes = command.arguments != .line
      candidates = try self.candidates(kind, place.word, before: before)
        .map { quotes ? $0.quotedWord : $0 }
    }
    return Completions(start: place.start, candidates: candidates)
  }

  private func candidates(
    _ kind: CompletionKind, _ word: String, before: [String]
  ) throws -> [String] {
    let all: [String]
    switch kind {
    case .position: all = try positions()
    case .range:
      guard let dots = word.firstRange(of: "..") else {
        all = try positions()
        break
      }
      let from = word[..<dots.upperBound]
      all = try positions().map { from + $0 }
    case .actionType, .filter: all = try TypeCounts(of: log).entries.map(\.type)
    case .store: all = log.storeNames
    case .bookmark: all = bookmarks.map(\.name)
    case .display: all = displays.map { String($0.number) }
    case .stopPoint: all = stops.points.map { String($0.number) }
    case .fork: all = branches.all.map { String($0.number) }
    case .setting: all = Setting.all.map(\.name)
    case .settingValue:
      all = Setting.all.first { $0.name == before.last }?.values ?? []
    case .command: all = registry.commands.map(\.name)
    case .file: return services.files.completions(of: word)
    case .words(let words): all = words
    case .path: all = []
    }
    return all.filter { $0.hasPrefix(word) }
  }

  /// What a position may begin with: of an action's type the number follows.
  private func positions() throws -> [String] {
    ["start", "end"] + bookmarks.map { "$\($0.name)" }
      + (try TypeCounts(of: log).entries.map { "\($0.type)#" })
  }

  /// Of an expression only its last path is completed.
  private func expressionCompletions(
    at place: CompletionPlace, _ kind: CompletionKind, of command: any Command, end: Int
  ) throws -> Completions {
    let path = PathFragment(endOf: place.text)
    var candidates = try self.candidates(of: path)
    let start = end - path.text.unicodeScalars.count
    if path.text == place.word, kind == .filter {
      candidates = try self.candidates(.actionType, place.word, before: []) + candidates
    }
    if command.arguments == .expression, !path.text.isEmpty {
      candidates += PathFragment.functions.filter { $0.hasPrefix(path.text) }
    }
    return Completions(start: start, candidates: candidates)
  }
}

extension String {
  /// The text as one word of a command line.
  fileprivate var quotedWord: String {
    let special: Set<Unicode.Scalar> = [
      " ", "\t", "'", "\"", "|", ">", "(", ")", "[", "]", "{", "}",
    ]
    guard unicodeScalars.contains(where: special.contains) else { return self }
    let escaped = replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "'\(escaped)'"
  }
}
