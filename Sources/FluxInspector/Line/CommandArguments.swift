import FluxLog

/// What follows a command's name: options, and either words or one text that is taken as it stands.
///
/// Options stand directly after the command or at the end.
package struct CommandArguments: Sendable {
  private let command: any Command
  /// The options that are there; the values of those that take one, else an empty text.
  private var options: [String: [String]] = [:]
  /// The arguments without quotes, for commands that take words.
  let words: [String]
  /// The arguments as they were written, without options and blanks around them.
  let text: String

  init(
    _ line: LineScanner, _ range: Range<Int>, of command: any Command
  ) throws(CommandError) {
    self.command = command
    guard command.arguments != .line else {
      (words, text) = ([], line.text(range))
      return
    }
    var places = line.words(in: range)
    while let first = places.first, let option = try Self.option(line.text(first), of: command) {
      places.removeFirst()
      guard option.value != nil else {
        options[option.name] = [""]
        continue
      }
      guard let value = places.first else { throw Self.missingValue(option, command) }
      options[option.name, default: []].append(option.text(of: value, in: line))
      places.removeFirst()
    }
    try Self.takeFromEnd(&places, line, command, &options)
    if case .words(let limit) = command.arguments {
      guard places.count <= limit else {
        throw CommandError(
          .usage, "\(command.name): too many arguments", hint: command.usageHint)
      }
      words = places.map { line.unquoted($0) }
    } else {
      words = []
    }
    guard let first = places.first, let last = places.last else {
      text = ""
      return
    }
    text = line.text(first.lowerBound..<last.upperBound)
  }

  /// Whether an option is there.
  func has(_ option: String) -> Bool { options[option] != nil }

  /// The value of an option.
  func value(of option: String) -> String? { options[option]?.last }

  /// All values of an option that may be given several times.
  func values(of option: String) -> [String] { options[option] ?? [] }

  // MARK: Options

  /// The option that a word is; nil where it is none.
  private static func option(
    _ word: String, of command: any Command
  ) throws(CommandError) -> CommandOption? {
    if let option = command.options.first(where: { $0.name == word }) { return option }
    // A number with a sign is a position, and an expression may begin with one.
    guard word.hasPrefix("-"), word.unicodeScalars.count > 1,
      word.hasPrefix("--") || word.unicodeScalars.dropFirst().first?.properties.isAlphabetic == true
    else { return nil }
    let nearest = Spelling.nearest(to: word, among: command.options.map(\.name))
    throw CommandError(
      .usage,
      "\(command.name): no option \(word)" + (nearest.map { "; did you mean \($0)?" } ?? ""),
      hint: command.usageHint)
  }

  private static func takeFromEnd(
    _ places: inout [Range<Int>], _ line: LineScanner, _ command: any Command,
    _ options: inout [String: [String]]
  ) throws(CommandError) {
    // From the last to the first, behind those that stand before the arguments.
    let before = options
    while let last = places.last {
      let word = line.text(last)
      if let flag = command.options.first(where: { $0.value == nil && $0.name == word }) {
        options[flag.name] = [""]
        places.removeLast()
        continue
      }
      if let option = command.options.first(where: { $0.value != nil && $0.name == word }) {
        throw missingValue(option, command)
      }
      // No path and no expression ends with such a word: it is a mistyped option.
      if word.hasPrefix("--") { _ = try option(word, of: command) }
      guard places.count > 1,
        let option = command.options.first(where: { option in
          option.value != nil && option.name == line.text(places[places.count - 2])
        })
      else { return }
      options[option.name, default: []].insert(
        option.text(of: last, in: line), at: before[option.name]?.count ?? 0)
      places.removeLast(2)
    }
  }

  private static func missingValue(
    _ option: CommandOption, _ command: any Command
  ) -> CommandError {
    CommandError(
      .usage, "\(command.name): \(option.name) needs a value", hint: command.usageHint)
  }
}

extension CommandOption {
  /// The value that is written there.
  fileprivate func text(of value: Range<Int>, in line: LineScanner) -> String {
    isRaw ? line.text(value) : line.unquoted(value)
  }
}

extension CommandArguments {
  /// The error that says that the arguments are not what the command takes.
  func usage(_ message: String, hint: String? = nil) -> CommandError {
    CommandError(.usage, "\(command.name): \(message)", hint: hint ?? command.usageHint)
  }

  private func usage(_ error: QueryError) -> CommandError {
    let bare = QueryError(query: error.query, column: error.column, reason: error.reason)
    return usage(bare.message, hint: error.hint)
  }

  /// A count of steps; 1 where none is given.
  func count() throws(CommandError) -> UInt64 {
    guard let word = words.first else { return 1 }
    guard let count = PositionText.digits(word), count > 0 else {
      throw usage("expected a number of steps from 1, found \(word)")
    }
    return count
  }

  /// A position.
  func position(_ word: String) throws(CommandError) -> PositionText {
    guard let position = PositionText(word) else {
      throw usage("\(word) is no position", hint: PositionText.forms)
    }
    return position
  }

  /// A range.
  func range(_ word: String) throws(CommandError) -> RangeText {
    guard let range = RangeText(word) else {
      throw usage("\(word) is no range", hint: RangeText.forms)
    }
    return range
  }

  /// A text as a path.
  func path(_ text: String) throws(CommandError) -> Path {
    guard !text.isEmpty else { throw usage("a path is missing") }
    do throws(QueryError) {
      return try Path(text, dialect: .inspector)
    } catch {
      throw usage(error)
    }
  }

  /// A text as an expression.
  func expression(_ text: String) throws(CommandError) -> StepExpression {
    guard !text.isEmpty else { throw usage("an expression is missing") }
    do throws(QueryError) {
      return try StepExpression(text)
    } catch {
      throw usage(error)
    }
  }
  /// A text as a glob or an expression.
  func filter(_ text: String) throws(CommandError) -> StepFilter {
    do throws(QueryError) {
      return try StepFilter(text)
    } catch {
      throw usage(error)
    }
  }
}
