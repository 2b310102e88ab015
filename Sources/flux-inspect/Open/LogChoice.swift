import FluxInspector
import FluxSubcommands
import FluxTerminal
import LineEditor

/// Asks at the terminal which log of a folder to open.
struct LogChoice {
  let input: any LineInput
  let printer: Printer

  /// Returns the log that the user picks; the argument itself if it is not a folder with several logs, and nil if the
  /// user picks none.
  ///
  /// - Throws: `CommandError` if a folder has no log, or if Ctrl-C ends the choice; `LostOutput` and `FileError` if the
  ///   terminal cannot be used.
  func log(in argument: String) throws -> String? {
    let paths = try LogCollection.paths([argument])
    guard paths.count > 1 else { return argument }
    let menu = LogMenu(
      folder: argument, paths: paths,
      size: TerminalSize(descriptor: 1, environment: printer.environment))
    try printer.tell("\(paths.count) logs in \(argument)")
    try tell(menu.rows)
    let editor = input as? LineEditor
    editor?.complete = { line in
      let start = line.text.startIndex
      let found = menu.names.filter { $0.hasPrefix(line.text[..<line.cursor]) }
      return .init(replacing: start..<line.cursor, with: found.map { .init($0, suffix: "") })
    }
    defer { editor?.complete = nil }
    while true {
      switch try input.readLine({ Prompt("log (its number or a part of its name):") }) {
      case .line(let line):
        guard !line.allSatisfy(\.isWhitespace) else { continue }
        switch menu.answer(line) {
        case .log(let path): return path
        case .several(let rows): try tell(rows)
        case .none: try printer.tell("no log has that number, or a name with \(line)")
        }
      case .interrupted: throw CommandError.cancelled
      case .endOfInput: return nil
      }
    }
  }

  private func tell(_ rows: [String]) throws {
    for row in rows { try printer.tell(row) }
  }
}
