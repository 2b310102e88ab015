package import FluxJSON
import FluxLog
import FluxReplay

// Notes about conditions that are likely to be mistakes, for searches on the recording and on forks.
extension Timeline {
  /// Suggests what was meant by a filter that no step matches: another type, or other paths.
  func suggestions(for filter: StepFilter) throws -> [Note] {
    switch filter {
    case .glob(let glob): return log.suggestion(for: glob).map { [Note($0)] } ?? []
    case .text("rejected", _): return [Note("", next: .findRejections)]
    case .text(let text, _):
      let words = text.split(separator: " ")
      if words.count > 1, log.storeNames.contains(exactly: String(words[0])) {
        return ["this is no expression, and was searched as a text in types and payloads"]
      }
      // A search for a text has found the types that it is in, if they come later.
      let isInType = log.typeCounts().contains { $0.type.contains(text) }
      return isInType ? [] : log.suggestion(for: Glob(text)).map { [Note($0)] } ?? []
    case .expression(let expression): return try doubts(about: expression, at: Timeline.start)
    }
  }

  /// ``remarks(on:at:)`` about an expression that is true nowhere, or else its paths that select nothing.
  func doubts(about expression: QueryExpression, at position: Int) throws -> [Note] {
    let remarks = try remarks(on: expression, at: position)
    return remarks.isEmpty ? try misses(of: expression) : remarks
  }

  /// The names in comparisons that are probably texts without quotes, as sentences.
  ///
  /// Such a name selects nothing, and equals whatever else is absent: the expression may be true for the wrong reason.
  func unquotedTexts(in filter: StepFilter) -> [Note] {
    guard case .expression(let expression) = filter else { return [] }
    return expression.comparedNames.filter(isUnquotedText).map { name in
      Note(
        "there is no store \(name), so it equals every absent value; a text has quotes: \"\(name)\""
      )
    }
  }

  private func isUnquotedText(_ name: String) -> Bool {
    // Each of these means what it says: an absent value.
    let absent = ["nil", "undefined", "none"]
    return !log.storeNames.contains(exactly: name) && !absent.contains(name)
      && Spelling.nearest(to: name, among: log.storeNames) == nil && place(ofMember: name) == nil
  }

  /// ``QueryExpression/remarks(in:)`` at a position, and at the two ends of the log.
  package func remarks(
    on expression: QueryExpression, at position: Int
  ) throws -> [Note] {
    try expression.remarks(in: ([position] + ends).map { document(at: $0) }).map { Note($0) }
  }

  /// The paths of an expression that select nothing at either end of the log, as sentences.
  package func misses(of expression: QueryExpression) throws -> [Note] {
    try misses(of: expression, in: ends.reversed().map { document(at: $0) }, named: "the log")
  }

  private var ends: [Int] { [max(end, Timeline.start), Timeline.start] }

  /// The paths of an expression that select nothing at the start and at the end of a log or a fork, as sentences.
  ///
  /// Only `ends` are looked at, the documents of the first and the last step. A path can be missing at both and exist
  /// between them. `name` is the log or the fork in words.
  func misses(
    of expression: QueryExpression, in ends: [QueryDocument], named name: String
  ) throws -> [Note] {
    var notes: [Note] = []
    let texts = expression.comparedNames.filter(isUnquotedText)
    for path in expression.singularPaths {
      // If states are unknown, the search has said so.
      let found = try LogError.ifKnown {
        var miss: PathMiss?
        for document in ends {
          guard let missed = try path.miss(in: document) else { return PathMiss?.none }
          miss = missed
        }
        return miss
      }
      guard let miss = found ?? nil else { continue }
      // A feature may be absent at both ends.
      let isStore = miss.reached.elements == [.name("state")]
      guard !isStore || !log.storeNames.contains(exactly: miss.missing) else { continue }
      let place = miss.place.shorthand
      let suggestion = rootMeant(miss) ?? miss.nearest?.shorthand
      // Causes, payloads and rejections differ from step to step: the two ends say nothing about the steps between them.
      let isMember = miss.reached.elements.isEmpty
      guard !QueryDocument.isInLine(miss.place) || !isMember && suggestion != nil else { continue }
      let meant =
        suggestion.map { Note("did you mean \($0)?") } ?? habit(miss, path)
        ?? (isStore && texts.contains(exactly: miss.missing)
          ? Note("a text has quotes: \"\(miss.missing)\"") : storesHint(miss))
      let sentence = "\(place) is neither at the start nor at the end of \(name)"
      let note = Note(sentence).adding(meant)
      if !notes.contains(note) { notes.append(note) }
    }
    return notes
  }
}

extension QueryExpression {
  /// Sentences about the parts that are likely to be mistakes: a path alone whose value is true or false, and a comparison
  /// of values of two types.
  ///
  /// Only `documents` are looked at, the most important one first.
  fileprivate func remarks(in documents: [QueryDocument]) throws -> [String] {
    // The values that a singular path selects, as far as they are known.
    func nodes(of path: Path) throws -> [QueryNode] {
      try documents.compactMap { document in
        try LogError.ifKnown { try path.nodes(in: document).first } ?? nil
      }
    }
    let tests = try existenceTests.compactMap { path in
      try nodes(of: path).first { $0.value.kind == .bool }?.location.shorthand
    }.map { path in
      "\(path) alone is true if there is a value, even if that is false; "
        + "for the value itself, write \(path) == true"
    }
    return try tests
      + comparisonsWithLiterals.compactMap { path, literal, isUnequal in
        let found = try nodes(of: path)
        if literal.kind == .null, found.isEmpty, let document = documents.first {
          let miss = try LogError.ifKnown { try path.miss(in: document) } ?? nil
          return miss.map { miss in
            "an absent value is not null; to test that there is "
              + (isUnequal ? "a value: " : "no value: !") + miss.place.shorthand
          }
        }
        let nodes = found.filter { $0.value.kind != .null }
        guard literal.kind != .null, let node = nodes.first,
          nodes.allSatisfy({ $0.value.kind != literal.kind })
        else { return nil }
        return "\(node.location.shorthand) is \(node.value.kind.described), and \(literal.text) is "
          + "\(literal.kind.described); values of two types are never equal, nor is one less than the other"
      }
  }
}

extension Session {
  /// Suggests what was meant by a filter that no step matches; nothing if a step of the fork here has such a type.
  func suggestions(for filter: StepFilter) throws -> [Note] {
    let isMeant: (String) -> Bool =
      switch filter {
      case .glob(let glob): glob.matches
      case .text(let text, _): { $0.contains(text) }
      case .expression: { _ in false }
      }
    if let here = forkHere, here.steps.contains(where: { isMeant($0.type) }) { return [] }
    return try timeline.suggestions(for: filter)
  }

  /// ``QueryExpression/remarks(in:)`` here, and at the two ends of the recording or of the fork here.
  func remarks(on expression: QueryExpression) throws -> [Note] {
    guard let here = forkHere else { return try timeline.remarks(on: expression, at: position) }
    let counts = [here.count, here.steps.count, 0]
    return try expression.remarks(in: counts.map(here.fork.history.document)).map { Note($0) }
  }

  /// ``remarks(on:)`` about an expression that is true nowhere, or else its paths that select nothing.
  package func doubts(about expression: QueryExpression) throws -> [Note] {
    guard let here = forkHere else { return try timeline.doubts(about: expression, at: position) }
    let remarks = try remarks(on: expression)
    guard remarks.isEmpty else { return remarks }
    return try timeline.misses(
      of: expression, in: [0, here.steps.count].map(here.fork.history.document),
      named: "fork \(here.fork.number)")
  }
}
