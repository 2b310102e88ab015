package import FluxTerminal

/// The whole screen of a terminal, and its keys.
///
/// It is the alternate screen of the terminal, so the lines before it come back at the end. That end may be a signal or
/// a crash, and a stopped process gives the screen back until it continues.
package final class FullScreen {
  /// An event at the terminal.
  package enum Event: Equatable, Sendable {
    /// A key was pressed; Ctrl-C is the key control-c.
    case key(Key)
    /// The size of the terminal is another one.
    case resized(TerminalSize)
    /// Another thread has news.
    case woken
    /// The terminal is gone.
    case ended
  }

  private let editor: LineEditor
  /// The frame on the screen; nil if the screen has to be drawn from scratch.
  private var shown: Frame?

  fileprivate init(_ editor: LineEditor) {
    self.editor = editor
  }

  package var size: TerminalSize { TerminalSize(descriptor: editor.output, environment: [:]) }

  /// `true` if the next event is there already, so a frame would be replaced at once.
  package var hasEvent: Bool { editor.input.isReady }

  package func present(_ frame: Frame) {
    let update = frame.update(from: shown)
    if !update.isEmpty { editor.libedit.write(update) }
    shown = frame
  }

  /// Writes a text over the last row of the screen, until the next frame.
  package func presentStatus(_ text: String) {
    guard var frame = shown else { return }
    let row = frame.size.rows - 1
    let blank = String(repeating: " ", count: frame.size.columns)
    for text in [blank, text] {
      frame.write(
        [StyledSpan(text)], at: Frame.Place(row: row, column: 0), limit: frame.size.columns)
    }
    present(frame)
  }

  /// Marks a Ctrl-C as seen, because it has ended a search.
  package func forgetInterrupts() { editor.input.forgetInterrupts() }

  /// Waits for the next event.
  package func next() -> Event {
    while true {
      switch editor.input.next() {
      case .press(let press): return .key(press.key)
      case .interrupted: return .key(.control("c"))
      case .resized, .resumed:
        shown = nil
        return .resized(size)
      case .woken: return .woken
      // The terminal marks no pasted text here.
      case .paste: continue
      case .ended: return .ended
      }
    }
  }
}

extension LineEditor {
  /// Takes the whole screen for the time of a closure, which presents frames and waits for events.
  ///
  /// - Throws: Errors of the closure, after the terminal is as it was before.
  package func withFullScreen(_ body: (FullScreen) throws -> Void) rethrows {
    try withKeys(.screen) { try body(FullScreen(self)) }
  }
}
