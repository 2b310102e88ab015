import FluxInspector

/// The characters of a command line, and for each of them whether it is inside quotes or brackets.
///
/// A quote begins where a word or a value can begin: after a blank, a bracket, a comma, a colon or an operator.
/// Elsewhere an apostrophe is a letter, as in the pointer `/a/it's`.
struct LineScanner {
  let scalars: [Unicode.Scalar]
  /// `true` for each scalar outside quotes, brackets and parentheses.
  let isFree: [Bool]
  /// `true` for each scalar that begins or ends a quote.
  private let isQuote: [Bool]
  /// `true` if the text ends inside brackets, and not inside a quote.
  let isOpen: Bool

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var isFree: [Bool] = []
    var isQuote: [Bool] = []
    var depth = 0
    var quote: Unicode.Scalar?
    var isEscaped = false
    var last: Unicode.Scalar = " "
    for scalar in scalars {
      isFree.append(depth == 0 && quote == nil)
      let begins = quote == nil && (scalar == "'" || scalar == "\"") && last.isBeforeQuote
      let ends = scalar == quote && !isEscaped
      isQuote.append(begins || ends)
      isEscaped = quote != nil && scalar == "\\" && !isEscaped
      last = scalar
      if begins { quote = scalar }
      if ends { quote = nil }
      guard quote == nil else { continue }
      switch scalar {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth = max(0, depth - 1)
      default: break
      }
    }
    isOpen = depth > 0 && quote == nil
    self.isFree = isFree
    self.isQuote = isQuote
  }

  /// The text of a stretch of the line, without blanks around it.
  func text(_ range: Range<Int>) -> String {
    CommandLine.trimmed(String(String.UnicodeScalarView(scalars[range])))
  }

  /// The places of the words in a stretch, separated by blanks, and by these marks, outside quotes and brackets.
  func words(in range: Range<Int>, marks: Set<Unicode.Scalar> = []) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for place in range {
      let scalar = scalars[place]
      let separates = isFree[place] && (scalar.isLineBlank || marks.contains(scalar))
      if separates, let begun = start { words.append(begun..<place) }
      start = separates ? nil : start ?? place
    }
    if let start { words.append(start..<range.upperBound) }
    return words
  }

  /// `true` if `>!` is at a place.
  func isReplacement(at place: Int) -> Bool {
    place + 1 < scalars.count && scalars[place] == ">" && scalars[place + 1] == "!"
  }

  /// The word at a stretch, without the quotes around it or around its parts; in quotes, a backslash escapes the
  /// next character.
  func unquoted(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    var isQuoted = false
    var isEscaped = false
    for place in range {
      let scalar = scalars[place]
      if isQuote[place] {
        isQuoted.toggle()
      } else if isQuoted, !isEscaped, scalar == "\\" {
        isEscaped = true
      } else {
        text.append(scalar)
        isEscaped = false
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  var isLineBlank: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }

  /// `true` if a quote can begin behind the character.
  fileprivate var isBeforeQuote: Bool {
    switch self {
    case "(", "[", "{", ",", ":", "=", "<", ">", "!", "&", "|": true
    default: isLineBlank
    }
  }
}

/// The destination of output, instead of the usual one.
enum Redirection: Equatable, Sendable {
  /// `| COMMAND`: the input of a shell command.
  case pipe(String)
  /// `> FILE`, which must be a new file, with a `/`, a `.` or quotes in its name.
  case file(String)
  /// `>! FILE`, which replaces a file.
  case replacement(String)

  /// The place of the character that begins a redirection in a line of a command; nil if there is none.
  ///
  /// It counts outside quotes, brackets and parentheses. `||` is a part of an expression, and so is `>` if the
  /// command takes one; `>!` never is.
  static func mark(
    in line: LineScanner, from start: Int, of command: CommandDescription
  ) -> Int? {
    guard command.arguments != .line else { return nil }
    let takesExpression =
      command.arguments == .expression || command.hasExpression(in: line, from: start)
    var place = start
    while place < line.scalars.count {
      guard line.isFree[place] else {
        place += 1
        continue
      }
      switch line.scalars[place] {
      case "|":
        guard place + 1 < line.scalars.count, line.scalars[place + 1] == "|" else { return place }
        place += 2
      case ">" where !takesExpression || line.isReplacement(at: place): return place
      default: place += 1
      }
    }
    return nil
  }

  init(_ line: LineScanner, mark: Int) throws(CommandError) {
    let isReplacement = line.isReplacement(at: mark)
    let rest = mark + (isReplacement ? 2 : 1)..<line.scalars.count
    guard line.scalars[mark] == ">" else {
      let command = line.text(rest)
      guard !command.isEmpty else {
        throw CommandError(.usage, "a shell command is missing after '|'")
      }
      self = .pipe(command)
      return
    }
    let words = line.words(in: rest)
    guard words.count == 1, line.scalars[words[0].lowerBound] != ">" else {
      throw CommandError(
        .usage, "expected the name of one file after '\(isReplacement ? ">!" : ">")'",
        hint: "put a name with blanks in quotes; >! replaces a file, and nothing appends to one")
    }
    let path = line.unquoted(words[0])
    guard isReplacement || Self.isFileName(line.text(words[0])) else {
      throw CommandError(
        .usage, "'> \(path)' is neither a file nor a comparison here",
        hint: "the name of a file has a '/' or a '.', or is in quotes: > ./\(path)")
    }
    self = isReplacement ? .replacement(path) : .file(path)
  }

  /// `true` for a word that can only mean a file: `out.json`, `./out` and `"out"`, and not `2000` or `2.5`.
  private static func isFileName(_ word: String) -> Bool {
    if word.first == "\"" || word.first == "'" { return true }
    return word.contains { $0 == "/" || $0 == "." } && Double(word) == nil
  }
}

extension CommandDescription {
  /// `true` if an option of a line has an expression as its value.
  fileprivate func hasExpression(in line: LineScanner, from start: Int) -> Bool {
    let names = options.filter(\.isExpression).map(\.name)
    guard !names.isEmpty, start < line.scalars.count else { return false }
    return line.words(in: start..<line.scalars.count).contains { names.contains(line.text($0)) }
  }
}

/// A command line, taken apart: the command, its arguments, and the destination of its output.
struct CommandLine {
  let command: CommandDescription
  let arguments: CommandArguments
  let redirection: Redirection?

  /// Reads a line that is not empty.
  ///
  /// - Throws: `CommandError` of code `usage` if there is no such command, or it does not take these options
  ///   and arguments.
  init(
    _ line: String, _ table: CommandTable, aliases: [String: String]
  ) throws(CommandError) {
    let line = Self.expanded(line, table, aliases: aliases)
    let name = Self.name(in: line)
    let scanner = LineScanner(line)
    let (command, start) = try Self.command(name, of: scanner, table)
    var end = scanner.scalars.count
    var redirection: Redirection?
    if let mark = Redirection.mark(in: scanner, from: start, of: command) {
      redirection = try Redirection(scanner, mark: mark)
      end = mark
    }
    self.command = command
    self.redirection = redirection
    arguments = try CommandArguments(scanner, start..<max(start, end), of: command)
  }

  /// The line with the text of the alias that it begins with, whose text may begin with another one.
  ///
  /// As in shells, an alias is not looked up in its own text, so none can go in circles.
  static func expanded(_ line: String, _ table: CommandTable, aliases: [String: String]) -> String {
    var (line, aliases) = (line, aliases)
    while case let name = name(in: line), table.exactly(name) == nil,
      let text = aliases.removeValue(forKey: name)
    {
      line = text + line.dropFirst(name.count)
    }
    return line
  }

  /// The command of a line, and the place where its arguments begin: a position alone is a move to it.
  private static func command(
    _ name: String, of line: LineScanner, _ table: CommandTable
  ) throws(CommandError) -> (command: CommandDescription, start: Int) {
    let start = name.unicodeScalars.count
    do throws(CommandError) {
      return (try table.command(named: name, mayBePosition: true), start)
    } catch {
      if name.hasPrefix("$."), table.exactly("print") != nil {
        throw CommandError(
          error.code, error.message, hint: "to show what a path selects: print \(name)")
      }
      if line.scalars.first == "{", table.exactly("dispatch") != nil {
        throw CommandError(
          error.code, "a line begins with a command", hint: "to dispatch an action: dispatch {…}")
      }
      guard Position(name) != nil, let command = table.exactly("goto") else { throw error }
      return (command, 0)
    }
  }

  /// The word at the beginning of a line: up to a blank or a redirection; `!` is a separate word.
  static func name(in line: String) -> String {
    if line.hasPrefix("!") { return "!" }
    return String(line.prefix { !$0.isWhitespace && $0 != "|" && $0 != ">" })
  }

  /// `true` if a bracket or a brace of the line is open, so that it can continue on the next one.
  static func isOpen(_ line: String) -> Bool {
    let line = trimmed(line)
    return !line.hasPrefix("!") && !line.hasPrefix("#") && LineScanner(line).isOpen
  }

  static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isLineBlank }),
      let last = scalars.lastIndex(where: { !$0.isLineBlank })
    else { return "" }
    return String(scalars[first...last])
  }
}
