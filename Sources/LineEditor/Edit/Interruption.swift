internal import CLibEdit

/// Whether Ctrl-C was pressed since this value was made.
///
/// A command that runs for long makes one at its start and asks it now and then; asking costs an
/// atomic load. From the first ``watch()`` on, SIGINT no longer ends the process.
package struct Interruption: Sendable {
  private let count = cle_interrupts()

  /// Begins to look.
  package init() {}

  /// Whether SIGINT came since then.
  package var isRequested: Bool { cle_interrupts() != count }

  /// Takes SIGINT over.
  ///
  /// Where it was ignored it stays so; false where the system has no descriptor left for the pipe
  /// that the handler writes to.
  @discardableResult
  package static func watch() -> Bool {
    cle_watch_interrupts()
  }
}
