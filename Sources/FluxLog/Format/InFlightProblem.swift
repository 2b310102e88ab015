import FluxSystem

/// A problem with the file of actions in flight, which does not end the recording.
///
/// Until the file is whole again, a crash can lose the actions whose lines are not written yet.
public enum InFlightProblem: Equatable, Sendable {
  /// Another program cut or overwrote the file. The recorder has allocated it again.
  case cut
  /// Another program removed the file. The recorder has created it again.
  case removed
  /// The disk has no room for the requested size, and the file is smaller.
  case smaller(byteCount: Int)
  /// The system denies a second name for the file, and `errno`. A crash loses nothing all the same.
  case notLinked(code: Int32)
  /// There is no file: the system call that failed, and `errno`.
  case unavailable(operation: String, code: Int32)

  /// The problem, its consequence and what to do.
  var message: String {
    switch self {
    case .cut:
      """
      another program cut the file of actions in flight, and the recorder allocated it again; \
      exclude the file from log rotation, because cutting it can end the app
      """
    case .removed:
      """
      another program removed the file of actions in flight, and the recorder created it again; \
      leave the file alone until the log is closed
      """
    case .smaller(let byteCount):
      """
      the disk has no room for the file of actions in flight, so it has only \(byteCount) bytes; \
      free some space
      """
    case .notLinked(let code):
      """
      cannot link the file of actions in flight beside the next segment: \(systemMessage(code)); nothing is \
      lost, but keep the last two segments together if the app crashes
      """
    case .unavailable(let operation, let code):
      """
      cannot \(operation) the file of actions in flight: \(systemMessage(code)); recording \
      continues, but a crash loses the actions whose lines are not written yet
      """
    }
  }
}
