import FluxInspector
import FluxJSON
import FluxLog

// Converts arguments to positions, paths, expressions and other values. Errors name what was expected.
extension CommandArguments {
  func usage(_ message: String, hint: String? = nil) -> CommandError {
    CommandError(.usage, "\(command.name): \(message)", hint: hint ?? command.usageHint)
  }

  private func usage(lines message: String, note: Note?) -> CommandError {
    CommandError(
      .usage, lines: "\(command.name): \(message)",
      note: note ?? Note(command.usageHint))
  }

  private func usage(_ error: QueryError) -> CommandError {
    let bare = QueryError(query: error.query, column: error.column, reason: error.reason)
    let hint = withoutQuotes ?? Self.hint(for: error.query) ?? error.hint
    return usage(lines: CommandError(.usage, bare).message, note: hint.map { Note($0) })
  }

  /// Guesses what was meant by a path or an expression that cannot be read; nil if nothing is likely.
  private static func hint(for text: String) -> String? {
    let path = Path.translated(text)
    if path != text, Path(ofCommand: path) != nil { return "did you mean \(path)?" }
    if text.wholeMatch(of: /[^\s'"()\[\]=<>!&|@$]+@[^\s'"()\[\]=<>!&|]+/) != nil {
      return "to look for a text: find \"\(text)\""
    }
    if let match = text.firstMatch(of: /[=!]= *([A-Za-z_][\w-]*(?:\/[\w-]+)+)/) {
      let type = match.output.1
      return "a text is in quotes: \(text.replacing(type, with: "'\(type)'"))"
    }
    if let match = text.wholeMatch(of: /([A-Za-z_][\w-]*)(?:\/[A-Za-z_*][\w*-]*)+/) {
      return "if that is the type of an action: find \(match.output.0)"
    }
    let sides = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "+-*/%".contains($0) }
    if sides.count == 2, Path(ofCommand: CommandLine.trimmed(String(sides[0]))) != nil {
      return
        "there is no arithmetic: compare values, as in \(CommandLine.trimmed(String(sides[0]))) > 100"
    }
    return nil
  }

  /// The hint for arguments in quotes, as a shell needs them; nil if they are not.
  ///
  /// Paths, expressions and JSON stand as they are.
  var withoutQuotes: String? {
    StepFilter.unquoted(text).map { "without quotes: \(command.name) \($0)" }
  }

  /// Runs a call of the session, and puts the name of the command before its usage errors.
  func checking<Result>(_ call: () throws -> Result) throws -> Result {
    do {
      return try call()
    } catch let error as CommandError where error.code == .usage {
      throw usage(lines: error.message, note: error.note)
    }
  }

  // MARK: Values

  /// The first word.
  ///
  /// - Throws: `CommandError` that says what is missing, such as `a file`.
  func word(_ missing: String, hint: String? = nil) throws(CommandError) -> String {
    guard let word = words.first else { throw usage("\(missing) is missing", hint: hint) }
    return word
  }

  /// `-d NAME` or `NAME [REST]`, of a command that takes its line as it was written.
  func deletable() throws(CommandError) -> (isDeletion: Bool, name: String, rest: String) {
    let isDeletion = text == "-d" || text.hasPrefix("-d ")
    let line = isDeletion ? CommandLine.trimmed(String(text.dropFirst(2))) : text
    let name = CommandLine.name(in: line)
    let rest = CommandLine.trimmed(String(line.dropFirst(name.count)))
    guard !isDeletion || rest.isEmpty else { throw usage("too many arguments") }
    return (isDeletion, name, rest)
  }

  func count() throws(CommandError) -> UInt64 {
    guard let word = words.first else { return 1 }
    guard let count = Position.digits(word), count > 0 else {
      let opposite = ["step": "back", "back": "step"][command.name]
      let number = Position.digits(String(word.drop { $0 == "-" }))
      let hint =
        if word.hasPrefix("-"), let opposite, let number {
          "the other way: \(opposite) \(number)"
        } else { String?.none }
      throw usage("expected a number of steps, at least 1, found \(word)", hint: hint)
    }
    return count
  }

  /// A number that the session gave to a stop point, a display or a fork.
  func number(
    _ text: String? = nil, of thing: String, hint: String? = nil
  ) throws(CommandError) -> Int {
    let word = if let text { text } else { try self.word("the number of a \(thing)", hint: hint) }
    guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(word) else {
      throw usage(
        "expected the number of a \(thing), found \(word)",
        hint: Self.otherRecording(word) ?? hint)
    }
    return number
  }

  func position(_ word: String) throws(CommandError) -> Position {
    guard let position = Position(word) else {
      throw usage(
        "\(word) is not a position", hint: Self.otherRecording(word) ?? Position.forms)
    }
    return position
  }

  /// The way to compare with another recording, which a session cannot; nil if a word does not name a file of one.
  private static func otherRecording(_ word: String) -> String? {
    guard [".jsonl", ".gz", ".zst", ".json"].contains(where: word.hasSuffix) else { return nil }
    return "to compare two recordings, in a shell: flux-inspect diff LOG \(word)"
  }

  func range(_ word: String) throws(CommandError) -> PositionRange {
    guard let range = PositionRange(word) else {
      let isType = word.contains("/") && !word.contains(".")
      throw usage(
        "\(word) is not a range",
        hint: word == "all"
          ? "all steps: .."
          : isType ? "to list the steps of a type: find \(word)" : PositionRange.forms)
    }
    return range
  }

  func path(_ text: String? = nil) throws(CommandError) -> Path {
    try reading(text, "a path") { (text) throws(QueryError) in
      try Path(text, dialect: .inspector)
    }
  }

  /// A path, a function call or an expression.
  func query(_ text: String? = nil) throws(CommandError) -> ValueQuery {
    try reading(text, "a path or an expression") { (text) throws(QueryError) in
      try ValueQuery(text)
    }
  }

  func expression(_ text: String? = nil) throws(CommandError) -> QueryExpression {
    try reading(text, "an expression") { (text) throws(QueryError) in try QueryExpression(text) }
  }

  /// Reads a text, or all arguments, as a thing that must not be empty.
  private func reading<Value>(
    _ text: String?, _ thing: String, _ body: (String) throws(QueryError) -> Value
  ) throws(CommandError) -> Value {
    let text = text ?? self.text
    guard !text.isEmpty else { throw usage("\(thing) is missing") }
    do throws(QueryError) {
      return try body(text)
    } catch {
      throw usage(error)
    }
  }

  /// An action as JSON; the hint of the error shows `example`, an action of the log.
  func action(_ text: String, like example: JSON? = nil) throws(CommandError) -> JSON {
    guard !text.isEmpty else { throw usage("an action is missing") }
    let action: JSON
    do throws(JSONError) {
      action = try JSON.parse(text)
    } catch {
      // The type alone, as some tools take it.
      let isType = !text.contains("{") && !text.contains("\"") && !text.contains(" ")
      let hint =
        withoutQuotes
        ?? (isType
          ? #"an action is JSON: dispatch {"type":"\#(text)"}"#
          : example.map { "an action is JSON, as in the log: dispatch \($0.text)" })
      throw usage("the action is not JSON: \(error)", hint: hint)
    }
    do throws(CommandError) {
      try Session.checkAction(action)
    } catch {
      throw usage(error.message)
    }
    return action
  }

  /// A name behind the last `>` that is a whole path, such as `out.json` in `print cart.total > out.json`.
  ///
  /// The text is the word, and the store is its beginning.
  var comparedName: (text: String, store: String)? {
    let line = LineScanner(text)
    guard
      let mark = line.scalars.indices.last(where: { line.isFree[$0] && line.scalars[$0] == ">" })
    else { return nil }
    let words = line.words(in: mark + 1..<line.scalars.count)
    guard words.count == 1, let first = line.scalars[words[0]].first,
      first.properties.isAlphabetic || "_./~".unicodeScalars.contains(first)
    else { return nil }
    let word = line.text(words[0])
    guard !["true", "false", "null"].contains(word), !word.contains("(") else { return nil }
    let name = word.drop { $0 == "/" }.prefix { !".[/".contains($0) }
    return (word, String(name))
  }

  /// `SUBJECT [if EXPR]`: the text before `if`, and the expression after it.
  func subjectAndCondition() throws(CommandError) -> (subject: String, QueryExpression?) {
    let line = LineScanner(text)
    let words = line.words(in: line.scalars.indices)
    guard let place = words.firstIndex(where: { line.text($0) == "if" }) else {
      return (text, nil)
    }
    let condition = line.text(words[place].upperBound..<line.scalars.count)
    return (line.text(0..<words[place].lowerBound), try expression(condition))
  }

  /// The option that makes an expression of what would be a glob.
  static let forcesExpression = CommandOption("-x", "Take the argument as an expression")

  /// `GLOB|EXPR [in RANGE]`: the filter, and the range, nil for the whole log.
  func filterAndRange(
    in session: Session
  ) throws -> (filter: StepFilter, range: PositionRange?) {
    let line = LineScanner(self.text)
    let words = line.words(in: line.scalars.indices)
    var text = self.text
    var range: PositionRange?
    if words.count >= 2, line.text(words[words.count - 2]) == "in" {
      range = try self.range(line.unquoted(words[words.count - 1]))
      text = line.text(0..<words[words.count - 2].lowerBound)
    }
    guard !text.isEmpty else { throw usage("a glob, an expression or a text is missing") }
    if has(Self.forcesExpression.name) { return (.expression(try expression(text)), range) }
    return (try filter(text, in: session), range)
  }

  /// Waits for the whole index if only that can tell whether a text is the type of an action.
  private func filter(_ text: String, in session: Session) throws -> StepFilter {
    func read() throws(CommandError) -> StepFilter {
      try reading(text, "a glob, an expression or a text") { (text) throws(QueryError) in
        try session.timeline.filter(text)
      }
    }
    if !session.log.isIndexComplete {
      do throws(CommandError) {
        let filter = try read()
        guard case .text = filter else { return filter }
      } catch {
        // It is no expression.
      }
      try session.waitForIndex()
    }
    return try read()
  }

  /// `GLOB|EXPR|TEXT` that a move stops at: a path that begins with the name of a store is an expression, which is true
  /// where it selects a value.
  func condition(in session: Session) throws -> StepFilter {
    guard !text.isEmpty else { throw usage("a glob, an expression or a text is missing") }
    let name = text.prefix { !".[/".contains($0) }
    guard session.log.storeNames.contains(String(name)),
      !text.contains(where: { "*?/".contains($0) })
    else {
      return try filter(text, in: session)
    }
    return .expression(try expression(text))
  }
}
