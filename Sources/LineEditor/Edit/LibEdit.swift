internal import CLibEdit

/// libedit, without its pointers.
///
/// Safe: the editor is valid from `init` to `close`, `callbacks` is held as long, every string that
/// crosses is copied before the call returns, and both functions are called only from within calls
/// into libedit, on the thread of the caller.
@safe
final class LibEdit {
  /// What libedit asks for while a line is edited.
  final class Callbacks {
    var next: () -> Input = { .ended }
    var key: (UInt32) -> Reaction = { _ in .beep }
  }

  enum Input {
    case scalar(UInt32)
    case interrupted
    case ended
  }

  enum Reaction {
    case none, refresh, redraw, beep

    fileprivate var code: cle_reaction {
      switch self {
      case .none: .none
      case .refresh: .refresh
      case .redraw: .redraw
      case .beep: .beep
      }
    }
  }

  let callbacks = Callbacks()
  private var opened: OpaquePointer?

  /// Opens the terminal; nil where the descriptors are not one.
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
        return callbacks.key(key).code
      })
    guard let editor = unsafe cle_open(name, input, output, functions) else { return nil }
    unsafe opened = editor
  }

  deinit { close() }

  /// Gives the terminal back.
  ///
  /// Nothing else can be called any more.
  func close() {
    guard let editor = unsafe opened else { return }
    unsafe opened = nil
    unsafe cle_close(editor)
  }

  private var editor: OpaquePointer {
    guard let editor = unsafe opened else { preconditionFailure("the line editor is closed") }
    return unsafe editor
  }

  func readLine() -> LineResult {
    switch unsafe cle_read_line(editor) {
    case .accepted: .line(line.text)
    case .interrupted: .interrupted
    case .ended: .endOfInput
    }
  }

  var line: LineBuffer {
    var count = 0
    var cursor = 0
    let text = unsafe UnsafeRawBufferPointer(start: cle_line(editor, &count, &cursor), count: count)
    return unsafe LineBuffer(String(decoding: text, as: UTF8.self), cursorByte: cursor)
  }

  func replace(_ line: LineBuffer) {
    unsafe cle_replace_line(editor, line.text, line.cursorScalar)
  }

  func setPrompt(_ prompt: Prompt) {
    unsafe cle_set_prompts(editor, prompt.edited, prompt.editedRight)
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
