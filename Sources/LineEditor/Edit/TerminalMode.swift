internal import CLibEdit

/// What the terminal is asked for while it is ours.
///
/// The texts are constants, which live as long as the process does.
enum TerminalMode {
  case line, keys

  /// Asks for it, and keeps the mode for when the process is stopped and goes on.
  func enter() {
    switch self {
    // Pasted text comes between marks (xterm, bracketed paste).
    case .line: Self.enter("\u{1B}[?2004h", leaving: "\u{1B}[?2004l")
    // The program may hide the cursor.
    case .keys: Self.enter("", leaving: "\u{1B}[0m\u{1B}[?25h")
    }
  }

  /// Gives it up.
  static func leave() { cle_left_mode() }

  private static func enter(_ text: StaticString, leaving: StaticString) {
    // A static string ends with a zero byte and is never freed.
    unsafe cle_entered_mode(pointer(text), pointer(leaving))
  }

  private static func pointer(_ text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
