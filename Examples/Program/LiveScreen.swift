import Foundation
import Observation

/// The screen of a program on a terminal, which is drawn again whenever it changes.
@MainActor
final class LiveScreen {
  private let draw: TerminalProgram.Screen

  private init(_ draw: @escaping TerminalProgram.Screen) { self.draw = draw }

  /// Begins to draw a screen; returns nil if there is no terminal to draw on.
  static func onTerminal(_ draw: @escaping TerminalProgram.Screen) -> LiveScreen? {
    guard isatty(1) == 1 else { return nil }
    let screen = LiveScreen(draw)
    _ = screen.observe()
    return screen
  }

  /// Returns the screen, and waits for its next change.
  private func observe() -> String {
    withObservationTracking {
      draw()
    } onChange: { [weak self] in
      // The change is complete only after this call.
      Task { @MainActor in self?.redraw() }
    }
  }

  private func redraw() {
    // Clears the screen, and begins in its first line.
    print("\u{1B}[H\u{1B}[2J\(observe())")
  }
}
