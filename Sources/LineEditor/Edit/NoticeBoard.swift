internal import CLibEdit
import Synchronization

/// Where any thread leaves text that is to appear above the line that is being edited.
///
/// It appears at once while a line is edited, otherwise before the next one.
package final class NoticeBoard: Sendable {
  struct Notices {
    var texts: [String] = []
    var promptChanged = false
  }

  private let notices = Mutex(Notices())

  /// Shows a text, as it is: whoever puts it together from values that came from elsewhere has to
  /// sanitise those.
  ///
  /// It gets a line feed at its end where it has none.
  package func printAbove(_ text: String) {
    notices.withLock { $0.texts.append(text) }
    cle_wake()
  }

  /// Asks for the prompt again, as what it shows has changed.
  package func refreshPrompt() {
    notices.withLock { $0.promptChanged = true }
    cle_wake()
  }

  /// Takes what there is.
  func take() -> Notices? {
    notices.withLock { notices in
      guard notices.promptChanged || !notices.texts.isEmpty else { return nil }
      defer { notices = Notices() }
      return notices
    }
  }
}
