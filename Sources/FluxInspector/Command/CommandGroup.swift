/// The kinds of commands, in the order in which they are listed.
package enum CommandGroup: String, Sendable, CaseIterable {
  /// Moves through the log.
  case move
  /// Points at which moves stop.
  case stop
  /// Questions about what is there.
  case look
  /// Dispatching again, in fresh stores.
  case replay
  /// Files for other tools.
  case out
  /// The session itself.
  case shell

  /// The heading of the group.
  var title: String {
    switch self {
    case .move: "Moving through the log"
    case .stop: "Stopping"
    case .look: "Looking"
    case .replay: "Replaying"
    case .out: "Writing for other tools"
    case .shell: "The session"
    }
  }
}
