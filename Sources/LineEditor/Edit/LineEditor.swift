internal import CLibEdit

/// Edits lines at a terminal: keys in the manner of emacs or vi (`.editrc`), history, completion,
/// text that appears above while one types, and keys of the program's own.
///
/// A process has one at a time, as it has one terminal. It belongs to the thread that made it: every
/// closure it is given runs on that thread, within ``readLine(_:)``. ``notices`` is for the others.
///
/// While it is open, the terminal's mode survives everything: it is given back when the process is
/// stopped with Ctrl-Z, ends by a signal, or crashes, and taken again when it goes on.
package final class LineEditor {
  /// Where other threads leave text for above the line.
  package let notices = NoticeBoard()
  /// What the user's settings say that libedit does not understand.
  package let settingProblems: [SettingProblem]
  /// Completes the word at the cursor when Tab is pressed.
  package var complete: ((LineBuffer) -> Completions)?

  let libedit: LibEdit
  let input: KeyInput
  let output: Int32
  private let settings: EditSettings
  private var settingsAreComplete = false
  private var isClosed = false
  var keyMap = KeyMap()
  var actions: [UInt32: (LineBuffer) -> KeyAction] = [:]
  /// The newest line of the history.
  var lastRemembered: String?
  /// What the key for pastes is to insert.
  var insertion: Insertion?

  /// What libedit is yet to be told.
  var queue: ArraySlice<UInt32> = []
  var makePrompt: () -> Prompt = { Prompt("") }
  var prompt = Prompt("")
  var pastes = PasteQueue()
  /// SIGINT after this drops what is left of a paste of several lines.
  var interruption = Interruption()

  /// Opens the terminal.
  ///
  /// - Parameters:
  ///   - name: what the user's settings call the program.
  ///   - input: the descriptor that keys are read from.
  ///   - output: the descriptor that is drawn on.
  ///   - environment: where `TERM`, `EDITRC` and `HOME` are looked up.
  /// - Throws: ``LineEditorError``; then nothing has changed.
  package init(
    name: String, input: Int32 = 0, output: Int32 = 1, environment: [String: String]
  ) throws(LineEditorError) {
    guard TerminalKind(environment: environment) == .full else { throw .notATerminal }
    _ = ColumnWidth.isLocaleChosen
    guard !cle_guards_terminal() else { throw .alreadyOpen }
    guard cle_guard_terminal(input, output) else { throw .notATerminal }
    guard let libedit = LibEdit(name: name, input: input, output: output) else {
      cle_release_terminal()
      throw .notATerminal
    }
    Interruption.watch()
    self.libedit = libedit
    self.input = KeyInput(descriptor: input)
    self.output = output
    settings = EditSettings(environment: environment)
    settingProblems = settings.apply { libedit.run(setting: $0) }
    keyMap.usersKeys = settings.boundKeys(program: name)
    connect()
  }

  /// Gives the terminal back as it was found.
  ///
  /// Call it before the process ends by `exit`, which frees nothing.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    libedit.close()
    cle_release_terminal()
  }

  deinit { close() }

  /// Puts the user's bindings over the program's, once these are complete.
  func bindUsersKeys() {
    guard !settingsAreComplete else { return }
    settingsAreComplete = true
    settings.bindAgain { libedit.run(setting: $0) }
  }

  /// Text for the line, and whether the line is then accepted.
  struct Insertion {
    var text: String
    var accepts: Bool
  }
}
