import FluxCommands
import FluxInspector
import FluxLog
import FluxSubcommands
import FluxSystem
import FluxTerminal
import LineEditor

/// A session with a prompt.
///
/// Like its editor, it belongs to the thread that created it.
final class InteractiveShell {
  private let input: any LineInput
  /// The editor; nil at a terminal that can only print.
  private let editor: LineEditor?
  private var opening: TerminalSession
  /// The lines of earlier sessions; nil if the environment names no folder for them.
  private let history: HistoryFile?
  private var watcher: LogWatcher?
  /// `true` once the user knows what an open bracket does.
  private var hasExplainedBrackets = false
  /// `true` once the user knows that the history is not read or written.
  private var hasToldHistoryFailure = false

  init(_ opening: TerminalSession, _ input: any LineInput) {
    self.opening = opening
    self.input = input
    editor = input as? LineEditor
    history = UserFolders(opening.printer.environment).history.map { HistoryFile(path: $0) }
    guard let editor else { return }
    self.opening.console.browser = ScreenBrowser(editor, opening.printer)
    bindStepKeys(of: editor)
    editor.complete = { [unowned self] line in
      let cursor = line.beforeCursor.unicodeScalars.count
      let found = self.opening.console.completions(of: line.text, cursor: cursor)
      let start = line.text.unicodeScalars.index(line.text.startIndex, offsetBy: found.start)
      // The first word of a line is a command.
      let isCommand = line.text[..<start].allSatisfy(\.isWhitespace)
      return .init(
        replacing: start..<line.cursor,
        with: found.candidates.map { candidate in
          // Paths, positions and folders may continue.
          .init(candidate, suffix: isCommand || candidate.hasPrefix("-") ? " " : "")
        })
    }
  }

  /// Reads and runs commands until the session ends; returns the exit code.
  ///
  /// With `follows`, new steps are shown as they arrive. `attached` is the log of the running app of the session.
  ///
  /// - Throws: `LostOutput` if the terminal cannot be written to, `FileError` if it cannot be read.
  func run(follows: Bool, attached: AttachedLog? = nil) throws -> Int32 {
    let log = opening.console.session.timeline.log
    try greet(log)
    loadHistory()
    let watcher = LogWatcher(
      log, input.notices, follows: follows, live: opening.console.session.services.live,
      attached: attached)
    self.watcher = watcher
    defer { watcher.stop() }
    while true {
      switch try input.readLine({ [unowned self] in prompt }) {
      case .interrupted: continue
      case .endOfInput: return 0
      case .line(let first):
        guard let line = try continued(first) else { continue }
        remember(line)
        if let code = try perform(line) { return code }
      }
    }
  }

  /// Reads the lines that continue a line with an open bracket, until it is closed or an empty line is typed; nil if the
  /// user abandons it.
  ///
  /// A document that is pasted may contain empty lines.
  private func continued(_ first: String) throws -> String? {
    var line = first
    while Console.isOpen(line) {
      try explainBrackets()
      switch try input.readLine({ Prompt("…") }) {
      case .interrupted: return nil
      case .endOfInput: return line
      case .line(let next):
        let text = next.drop(while: \.isWhitespace)
        if !text.isEmpty {
          line += " " + text
        } else if !input.isPasted {
          return line
        }
      }
    }
    return line
  }

  /// Says once how to leave a line that goes on, for those who only forgot a bracket.
  private func explainBrackets() throws {
    guard !hasExplainedBrackets else { return }
    hasExplainedBrackets = true
    try opening.printer.tell(
      "a bracket is open: an empty line runs the command as it is, and Ctrl-C drops it")
  }

  /// Runs a line; returns the exit code if it ends the session.
  private func perform(_ line: String) throws -> Int32? {
    let isEmpty = line.allSatisfy(\.isWhitespace)
    guard !isEmpty || input.repeatsEmptyLine else { return nil }
    let output = try opening.run(isEmpty ? nil : line)
    switch output?.ending {
    case .code(let code): return code
    case .plain: return 0
    case nil: return nil
    }
  }

  // MARK: The prompt

  private var prompt: Prompt {
    do throws(LogError) {
      // New steps of a running app move the session that follows it.
      try opening.console.session.catchUp()
    } catch {
      // The next command reports that the log cannot be read; a prompt need not.
    }
    let console = opening.console
    return Prompt(
      console.session, isGrowing: watcher?.isGrowing ?? true,
      usesColor: opening.printer.usesColor(console.settings))
  }

  private func greet(_ log: LogFile) throws {
    let app = log.header.app.map { ": \($0.title)" }
    try opening.printer.tell("\(log.path)\(app ?? "")")
    guard let editor else { return try opening.printer.tell("'help' lists the commands") }
    try opening.printer.tell(
      "'help' lists the commands; Tab completes; Alt-Left and Alt-Right step through the log")
    for problem in editor.settingProblems {
      try opening.printer.complain("warning", problem.description)
    }
  }

  // MARK: Keys

  private func bindStepKeys(of editor: LineEditor) {
    for onEmptyLine in [false, true] {
      editor.bind(.init(.left, onEmptyLine ? [] : .alt), onEmptyLine: onEmptyLine) {
        [unowned self] _ in move(by: "back")
      }
      editor.bind(.init(.right, onEmptyLine ? [] : .alt), onEmptyLine: onEmptyLine) {
        [unowned self] _ in move(by: "step")
      }
    }
  }

  /// Moves by a step; the prompt shows the new position.
  private func move(by command: String) -> KeyAction {
    let place = opening.console.session.place
    opening.command.begin()
    let output = opening.console.run(command)
    opening.command.clear()
    guard output?.error == nil, opening.console.session.place != place else { return .beep }
    return .refreshPrompt
  }

  // MARK: History

  private func loadHistory() {
    guard let editor, let history else { return }
    do {
      for line in try history.load() { editor.remember(line) }
    } catch {
      tell(error)
    }
  }

  private func remember(_ line: String) {
    guard let history else { return input.remember(line) }
    do {
      if try history.append(line) { input.remember(line) }
    } catch {
      input.remember(line)
      tell(error)
    }
  }

  /// Tells once why the history is not read or written.
  private func tell(_ error: FileError) {
    guard !hasToldHistoryFailure else { return }
    hasToldHistoryFailure = true
    input.notices.printAbove("warning: \(error.description.printable)")
  }
}
