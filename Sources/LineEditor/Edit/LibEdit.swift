internal import CLibEdit
internal import CTerminal

/// A safe interface to libedit.
///
/// Safe: the editor is valid from `init` to `close`, and `callbacks` lives as long. Every string is copied
/// before the call returns. libedit calls both functions only during calls into it, on the calling thread.
@safe
final class LibEdit {
  /// The functions that libedit calls while a line is edited.
  final class Callbacks {
    var next: () -> Input = { .ended }
    var key: (UInt32) -> cle_reaction = { _ in .beep }
  }

  enum Input {
    case scalar(UInt32)
    case interrupted
    case ended
  }

  let callbacks = Callbacks()
  private var opened: OpaquePointer?

  /// Opens the terminal; nil if the descriptors are not a terminal.
  init?(name: String, input: Int32, output: Int32) {
    let functions = unsafe cle_callbacks(
      context: Unmanaged.passUnretained(callbacks).toOpaque(),
      next: { context, scalar in
        guard let context = unsafe context, let scalar = unsafe scalar else {
          return .ended
        }
        let callbacks = unsafe Unmanaged<Callbacks>.fromOpaque(context).takeUnretainedValue()
        switch callbacks.next() {
        case .scalar(let value):
          unsafe scalar.pointee = value
          return .scalar
        case .interrupted: return .interrupted
        case .ended: return .ended
        }
      },
      key: { context, key in
        guard let context = unsafe context else { return .beep }
        let callbacks = unsafe Unmanaged<Callbacks>.fromOpaque(context).takeUnretainedValue()
        return callbacks.key(key)
      })
    guard let editor = unsafe cle_open(name, input, output, functions) else { return nil }
    unsafe opened = editor
  }

  deinit { close() }

  /// Restores the terminal; no other method may be called afterwards.
  func close() {
    guard let editor = unsafe opened else { return }
    unsafe opened = nil
    unsafe cle_close(editor)
  }

  private var editor: OpaquePointer {
    guard let editor = unsafe opened else { preconditionFailure("The line editor is closed") }
    return unsafe editor
  }

  func readLine() -> LineResult {
    switch unsafe cle_read_line(editor) {
    case .accepted: .line(line.text)
    case .interrupted: .interrupted
    case .ended: .endOfInput
    }
  }

  var line: EditedLine {
    var count = 0
    var cursor = 0
    let text = unsafe UnsafeRawBufferPointer(
      start: cle_line(editor, &count, &cursor), count: count)
    return unsafe EditedLine(String(decoding: text, as: UTF8.self), cursorByte: cursor)
  }

  func replace(_ line: EditedLine) {
    unsafe cle_replace_line(editor, line.text, line.cursorScalar)
  }

  func setPrompt(_ prompt: Prompt) {
    unsafe cle_set_prompt(editor, prompt.edited)
  }

  func refresh() { unsafe cle_refresh(editor) }
  func resize() { unsafe cle_resize(editor) }
  func setRaw(_ isRaw: Bool) { unsafe cle_set_raw(editor, isRaw) }

  func write(_ text: String) {
    unsafe cle_write(editor, text, text.utf8.count)
  }

  func bind(_ key: UInt32, command: String) -> Bool {
    unsafe cle_bind_command(editor, key, command)
  }

  func bind(_ key: UInt32) -> Bool { unsafe cle_bind_key(editor, key) }
  func run(setting: String) -> Bool { unsafe cle_run_setting(editor, setting) }
  func addHistory(_ line: String) { unsafe cle_add_history(editor, line) }
}

/// A mode that the terminal is switched to while the program reads keys.
///
/// The escape sequences are constants, so they live as long as the process.
enum TerminalMode {
  case line, keys, screen

  /// Enters the mode; it is entered again when a stopped process continues.
  func enter() {
    switch self {
    // Bracketed paste (xterm): the terminal sends marks around pasted text.
    case .line: Self.enter("\u{1B}[?2004h", leaving: "\u{1B}[?2004l", hasLine: true)
    case .keys: Self.enter("", leaving: "", hasLine: true)
    // The alternate screen (xterm) keeps what was on the other one. Without wrapping, a character that is wider than
    // this program knows cannot move the rows below it. The terminal reports buttons and the wheel (1000), as numbers
    // that fit any size (1006).
    case .screen:
      Self.enter(
        "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h",
        leaving:
          "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l",
        hasLine: false)
    }
  }

  static func leave() { cle_left_mode() }

  private static func enter(_ text: StaticString, leaving: StaticString, hasLine: Bool) {
    // A static string ends with a zero byte and is never deallocated.
    unsafe cle_entered_mode(pointer(text), pointer(leaving), hasLine)
  }

  private static func pointer(_ text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
