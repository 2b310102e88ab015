import FluxInspector
import FluxLog
import FluxTerminal
import LineEditor
import ScriptCommands
import SystemPackage

/// A session with a prompt.
///
/// It belongs to the thread that made it, as its editor does.
final class InteractiveShell {
  let editor: LineEditor
  private(set) var opening: TerminalSession
  private let history: HistoryFile
  private var watcher: LogWatcher?

  init(_ opening: TerminalSession, _ editor: LineEditor) {
    self.opening = opening
    self.editor = editor
    history = HistoryFile(path: UserFolders(opening.printer.environment).history)
    self.opening.console.session.services.keys = BrowsedKeys(editor, opening.printer)
    bindStepKeys()
    editor.complete = { [unowned self] in completions(of: $0) }
  }

  /// Reads and runs commands until the session ends.
  ///
  /// - Parameter follows: Whether new steps are shown as they come.
  /// - Returns: The code to end with.
  /// - Throws: `Errno` where the terminal takes no more.
  func run(follows: Bool) throws -> Int32 {
    let log = opening.console.session.timeline.log
    try greet(log)
    loadHistory()
    let watcher = LogWatcher(log, editor.notices, follows: follows)
    self.watcher = watcher
    defer { watcher.stop() }
    while true {
      switch editor.readLine({ [unowned self] in prompt }) {
      case .interrupted: continue
      case .endOfInput: return 0
      case .line(let line):
        remember(line)
        if let code = try perform(line) { return code }
      }
    }
  }

  /// Runs a line, and returns the code where it ends the session.
  private func perform(_ line: String) throws -> Int32? {
    let output = try opening.run(line.allSatisfy(\.isWhitespace) ? nil : line)
    switch output?.ending {
    case .code(let code): return code
    case .plain: return 0
    case nil: return nil
    }
  }

  // MARK: The prompt

  private var prompt: Prompt {
    let console = opening.console
    return PromptText(console.session, isGrowing: watcher?.isGrowing ?? true)
      .prompt(usesColor: opening.printer.usesColor(console.settings))
  }

  private func greet(_ log: LogFile) throws {
    let app = log.header.app.map {
      [$0.name, $0.version].compactMap(\.self).joined(separator: " ")
    }
    try opening.printer.tell("\(log.path)\(app.map { ": \($0)" } ?? "")")
    try opening.printer.tell(
      "'help' lists the commands; Tab completes; Alt-Left and Alt-Right go through the steps")
    for problem in editor.settingProblems {
      try opening.printer.complain("warning", problem.description)
    }
  }

  // MARK: Completion

  private func completions(of line: LineBuffer) -> EditorCompletions {
    let cursor = line.beforeCursor.unicodeScalars.count
    let found = opening.console.completions(of: line.text, cursor: cursor)
    let start = line.text.unicodeScalars.index(line.text.startIndex, offsetBy: found.start)
    // What begins the line is a command.
    let isCommand = line.text[..<start].allSatisfy(\.isWhitespace)
    return EditorCompletions(
      replacing: start..<line.cursor,
      with: found.candidates.map { candidate in
        // Paths, positions and folders may go on.
        let isWhole = isCommand || candidate.hasPrefix("-")
        return .init(candidate, suffix: isWhole ? " " : "")
      })
  }

  // MARK: Keys

  private func bindStepKeys() {
    let moves: [(EditorKey, Bool, String)] = [
      (EditorKey(.left, .alt), false, "back"), (EditorKey(.right, .alt), false, "step"),
      (EditorKey(.left), true, "back"), (EditorKey(.right), true, "step"),
    ]
    for (key, onEmptyLine, command) in moves {
      editor.bind(key, onEmptyLine: onEmptyLine) { [unowned self] _ in move(by: command) }
    }
  }

  /// Moves by a step; the prompt shows where to.
  private func move(by command: String) -> KeyAction {
    let position = opening.console.session.position
    opening.command.begin()
    let output = opening.console.run(command)
    opening.command.clear()
    guard output?.error == nil, opening.console.session.position != position else { return .beep }
    return .refreshPrompt
  }

  // MARK: History

  private func loadHistory() {
    do {
      editor.useHistory(try history.load())
    } catch {
      editor.notices.printAbove("warning: \(error.description.sanitised)")
    }
  }

  private func remember(_ line: String) {
    do {
      if try history.append(line) { editor.remember(line) }
    } catch {
      editor.remember(line)
      editor.notices.printAbove("warning: \(error.description.sanitised)")
    }
  }
}
