internal import CLibEdit
internal import CTerminal
import FluxSystem
import FluxTerminal

/// Edits lines at a terminal, with emacs or vi keys (`.editrc`), history, completion and notices.
///
/// A process can have one editor at a time, because it has one terminal. The editor belongs to the thread that
/// created it: its closures run on that thread, during ``readLine(_:)``. Other threads use ``notices``.
///
/// An open editor restores the terminal's mode when the process is stopped with Ctrl-Z, ends by a signal or
/// crashes. It sets its own mode again when the process continues.
package final class LineEditor {
  /// Prints text of any thread above the line.
  package let notices = NoticeBoard()
  /// The lines of the user's settings that libedit does not understand.
  package let settingProblems: [SettingProblem]
  /// Completes the word at the cursor when Tab is pressed.
  package var complete: ((EditedLine) -> Completions)?

  let libedit: LibEdit
  let input: KeyInput
  let output: Int32
  private let settings: EditSettings
  private var settingsAreComplete = false
  private var isClosed = false
  var keyMap = KeyMap()
  private var actions: [UInt32: (EditedLine) -> KeyAction] = [:]
  /// The latest line in the history.
  private var lastRemembered: String?
  /// The text that the paste key inserts.
  var insertion: Insertion?

  /// The scalars that libedit gets next.
  var queue: ArraySlice<UInt32> = []
  var makePrompt: () -> Prompt = { Prompt("") }
  var prompt = Prompt("")
  var pastes = PasteQueue()
  /// The way in which the last line came.
  package internal(set) var lineOrigin = LineOrigin.typed
  /// Detects a SIGINT that drops the rest of a multi-line paste.
  var interruption = Interruption()

  /// Opens the terminal; settings may name the program.
  ///
  /// - Throws: ``LineEditorError``; the terminal is then unchanged.
  package init(
    name: String, input: Int32 = 0, output: Int32 = 1, environment: [String: String]
  ) throws(LineEditorError) {
    guard environment.namesFullTerminal else { throw .notATerminal }
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

  /// Restores the terminal.
  ///
  /// Call it before `exit`, which runs no deinitializers.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    libedit.close()
    cle_release_terminal()
  }

  deinit { close() }

  /// Applies the user's bindings again, after the program has bound all its keys.
  func bindUsersKeys() {
    guard !settingsAreComplete else { return }
    settingsAreComplete = true
    settings.bindAgain { libedit.run(setting: $0) }
  }

  /// Text to insert into the line, and `true` to accept the line afterwards.
  struct Insertion {
    var text: String
    var accepts: Bool
  }

  // MARK: Keys

  /// Binds a key, optionally on empty lines only; a binding in the user's settings takes precedence.
  package func bind(
    _ key: Key, onEmptyLine: Bool = false, _ action: @escaping (EditedLine) -> KeyAction
  ) {
    let number = keyMap.bind(key, onEmptyLine: onEmptyLine)
    actions[number] = action
    register(number)
  }

  /// Sets the callbacks of libedit, which this editor outlives.
  private func connect() {
    libedit.callbacks.next = { [unowned self] in nextScalar() }
    libedit.callbacks.key = { [unowned self] in press($0).reaction }
    actions[KeyMap.paste] = { [unowned self] in insertPaste(into: $0) }
    for number in keyMap.meanings.keys.sorted() { register(number) }
    bind(Key(.tab)) { [unowned self] in completeWord(of: $0) }
  }

  /// Binds a number of the key map in libedit.
  private func register(_ number: UInt32) {
    let isKnown =
      switch keyMap.meanings[number] {
      case .command(let command): libedit.bind(number, command: command)
      case .program: libedit.bind(number)
      case nil: false
      }
    precondition(isKnown, "libedit cannot bind key \(number)")
  }

  private func press(_ number: UInt32) -> KeyAction {
    guard let action = actions[number] else { return .beep }
    let result = action(libedit.line)
    switch result {
    case .none, .beep: break
    case .replace(let line): libedit.replace(line)
    case .accept(let text):
      libedit.replace(EditedLine(text))
      queue = [KeyMap.accept] + queue
    case .refreshPrompt: renewPrompt()
    }
    return result
  }

  // MARK: History

  /// Adds a line to the history for arrow keys and searches, unless it equals the latest one.
  package func remember(_ line: String) {
    // libedit would draw the text after a line feed over the prompt.
    let line = line.printable
    guard !line.isEmpty, line != lastRemembered else { return }
    lastRemembered = line
    libedit.addHistory(line)
  }
}

extension KeyAction {
  fileprivate var reaction: cle_reaction {
    switch self {
    case .none: .none
    case .replace, .accept: .refresh
    case .refreshPrompt: .redraw
    case .beep: .beep
    }
  }
}

/// The way in which a line came to a line editor.
package enum LineOrigin: Sendable {
  /// The user pressed Enter.
  case typed
  /// It is a line of a paste.
  case pasted
  /// The user pressed Enter, for the first time since the process was stopped and continued.
  case resumed
}

/// The reason why a line editor cannot be opened.
package enum LineEditorError: Error, Equatable, CustomStringConvertible {
  /// Input or output is not a terminal with a movable cursor.
  case notATerminal
  /// The process already has an open editor.
  case alreadyOpen

  package var description: String {
    switch self {
    case .notATerminal:
      "cannot edit lines: input and output must be a terminal that can move its cursor (see TERM); "
        + "read plain lines instead"
    case .alreadyOpen:
      "a line editor is already open, and a process can have only one: close it first"
    }
  }
}
