internal import CTerminal
import FluxSystem

/// Prints text of any thread above the line that is being edited.
///
/// The text appears at once while a line is edited, otherwise before the next line.
package final class NoticeBoard: Sendable {
  struct Notices {
    var texts: [String] = []
    var promptChanged = false
  }

  private let notices = Monitor(Notices())

  /// Creates an empty board.
  package init() {}

  /// Prints a text and adds a line feed if it has none at its end.
  ///
  /// The text goes to the terminal unchanged: the caller must sanitise outside values in it.
  package func printAbove(_ text: String) {
    notices.withLock { $0.texts.append(text) }
    cle_wake()
  }

  /// Asks for the prompt again, because it has changed.
  package func refreshPrompt() {
    notices.withLock { $0.promptChanged = true }
    cle_wake()
  }

  /// Removes and returns the texts, for a prompt that cannot print above its line.
  package func takeTexts() -> [String] { take()?.texts ?? [] }

  /// Removes and returns all notices; nil if there are none.
  func take() -> Notices? {
    notices.withLock { notices in
      guard notices.promptChanged || !notices.texts.isEmpty else { return nil }
      defer { notices = Notices() }
      return notices
    }
  }
}
