/// Where the output of a command goes instead of where all output goes.
enum Redirection: Equatable, Sendable {
  /// `| COMMAND`: what a shell command reads.
  case pipe(String)
  /// `> FILE`
  case file(String)
}

extension Redirection {
  /// The place of the sign that begins a redirection in a line; nil where there is none.
  ///
  /// Signs count outside of quotes, brackets and parentheses; `||` is a part of an expression, and
  /// so is `>` where the command takes one.
  static func mark(
    in line: LineScanner, from start: Int, takesExpression: Bool
  ) -> Int? {
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
      case ">" where !takesExpression: return place
      default: place += 1
      }
    }
    return nil
  }

  /// Reads what follows the sign.
  init(_ line: LineScanner, mark: Int) throws(CommandError) {
    let rest = mark + 1..<line.scalars.count
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
        .usage, "expected the name of one file after '>'",
        hint: "a name with blanks is written in quotes; a file is always written anew")
    }
    self = .file(line.unquoted(words[0]))
  }
}
