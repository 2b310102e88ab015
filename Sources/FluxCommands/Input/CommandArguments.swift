import FluxInspector
import FluxJSON
import FluxReplay

/// The options and arguments of a command line: words, or one text that is taken as it stands.
///
/// Options stand directly after the command or at the end; between words, they also stand anywhere else.
struct CommandArguments: Sendable {
  let command: CommandDescription
  /// The options of the line with their values; an option without a value has an empty text.
  private var options: [String: [String]] = [:]
  /// The arguments without quotes, for a command that takes words.
  private(set) var words: [String] = []
  /// The arguments as they were written, without options and blanks around them.
  private(set) var text = ""

  init(
    _ line: LineScanner, _ range: Range<Int>, of command: CommandDescription
  ) throws(CommandError) {
    self.command = command
    guard command.arguments != .line else {
      text = line.text(range)
      return
    }
    var places = line.words(in: range)
    try takeExpressions(&places, line)
    try takeOptions(&places, line)
    if let first = places.first, let last = places.last {
      text = line.text(first.lowerBound..<last.upperBound)
    }
    guard case .words(let limit) = command.arguments else { return }
    words = places.map { line.unquoted($0) }
    guard words.count <= limit else { throw tooMany() }
  }

  func has(_ option: String) -> Bool { options[option] != nil }

  func value(of option: String) -> String? { options[option]?.last }

  func values(of option: String) -> [String] { options[option] ?? [] }

  // MARK: Options

  /// The option of that name; nil if the word is an argument.
  private func option(_ word: String) throws(CommandError) -> CommandOption? {
    if let option = command.options.first(where: { $0.name == word }) { return option }
    // A number with a sign is a position, and an expression may begin with one.
    guard word.hasPrefix("-"), word.unicodeScalars.count > 1,
      word.hasPrefix("--") || word.unicodeScalars.dropFirst().first?.properties.isAlphabetic == true
    else { return nil }
    if word == "--help" || word == "-h" {
      throw usage("no option \(word)", hint: "'help \(command.name)' describes the command")
    }
    let question = Spelling.question(word, among: command.options.map(\.name))
    throw usage("no option \(word)\(question)")
  }

  /// Takes the options whose values are expressions, wherever they stand.
  private mutating func takeExpressions(
    _ places: inout [Range<Int>], _ line: LineScanner
  ) throws(CommandError) {
    for option in command.options where option.isExpression {
      while let start = places.firstIndex(where: { line.text($0) == option.name }) {
        let end =
          places[(start + 1)...].firstIndex { place in
            command.options.contains { $0.name == line.text(place) }
          } ?? places.endIndex
        let value = places[(start + 1)..<end]
        guard let first = value.first, let last = value.last else { throw missingValue(option) }
        // As one word in quotes, as shells need it.
        let text =
          value.count == 1
          ? line.unquoted(first) : line.text(first.lowerBound..<last.upperBound)
        options[option.name, default: []].append(text)
        places.removeSubrange(start..<end)
      }
    }
  }

  /// Takes the options before, between and behind words, or before and behind a text.
  private mutating func takeOptions(
    _ places: inout [Range<Int>], _ line: LineScanner
  ) throws(CommandError) {
    let areWords = if case .words = command.arguments { true } else { false }
    var index = 0
    while index < places.count {
      let word = line.text(places[index])
      let isOption =
        index == 0 || word.hasPrefix("--") || command.options.contains { $0.name == word }
      guard isOption, let option = try option(word) else {
        if !areWords { break }
        index += 1
        continue
      }
      places.remove(at: index)
      guard option.value != nil else {
        options[option.name] = [""]
        continue
      }
      guard index < places.count else { throw missingValue(option) }
      options[option.name, default: []].append(
        option.text(of: places.remove(at: index), in: line))
    }
    if !areWords { try takeFromEnd(&places, line) }
  }

  private mutating func takeFromEnd(
    _ places: inout [Range<Int>], _ line: LineScanner
  ) throws(CommandError) {
    // From the last to the first, behind the options before the arguments.
    let before = options
    while let last = places.last {
      let word = line.text(last)
      if let flag = command.options.first(where: { $0.value == nil && $0.name == word }) {
        options[flag.name] = [""]
        places.removeLast()
        continue
      }
      if let option = command.options.first(where: { $0.value != nil && $0.name == word }) {
        throw missingValue(option)
      }
      // No path and no expression ends with such a word: it is a mistyped option.
      if word.hasPrefix("--") { _ = try option(word) }
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

  /// The error of words that a command does not take.
  private func tooMany() -> CommandError {
    // Types of Redux actions may have blanks: [Auth] Login#2.
    if command.completions == [.position], Position(text) != nil {
      return usage(
        "too many arguments",
        hint: "a position with blanks is in quotes: \(command.name) \(text.commandWord)")
    }
    let isAboutHere = ["action", "effects", "where"].contains(command.name)
    guard isAboutHere, let word = words.first, Position(word) != nil else {
      return usage("too many arguments")
    }
    return usage(
      "too many arguments", hint: "\(command.name) is about the step here; first: goto \(word)")
  }

  private func missingValue(_ option: CommandOption) -> CommandError {
    usage("\(option.name) needs a value")
  }
}

extension CommandOption {
  /// The value at a place of the line.
  fileprivate func text(of value: Range<Int>, in line: LineScanner) -> String {
    isRaw ? line.text(value) : line.unquoted(value)
  }
}
