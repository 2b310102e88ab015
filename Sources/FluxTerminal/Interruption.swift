internal import CTerminal

/// Detects that Ctrl-C was pressed since this value was created.
///
/// A long command creates one when it starts and checks it regularly; a check costs an atomic load. After the
/// first ``watch()``, SIGINT no longer ends the process.
package struct Interruption: Sendable {
  private let count = cle_interrupts()

  package init() {}

  /// `true` if SIGINT arrived since the value was created.
  package var isRequested: Bool { cle_interrupts() != count }

  /// Installs the handler of SIGINT; an ignored SIGINT stays ignored.
  ///
  /// - Returns: `false` if the system has no descriptors left for the handler's pipe.
  @discardableResult
  package static func watch() -> Bool {
    cle_watch_interrupts()
  }

  /// Restores the default action of SIGQUIT; an ignored SIGQUIT stays ignored.
  ///
  /// The signal is a request of the user and not a crash. Swift's handler would print a backtrace, and ask at the
  /// terminal what to do with it.
  package static func endAtOnceOnQuit() { cle_end_on_quit() }
}
