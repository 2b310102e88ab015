/// A change of a log by another program while it is recorded.
public enum LogLoss: Equatable, Sendable {
  /// The log or its folder was removed. Recording has ended.
  case removed
  /// The log was shortened, and its header may be missing. Recording has ended.
  case truncated
  /// The log was renamed. Recording continues in the renamed file.
  case moved

  /// The change, its consequence and what to do.
  var message: String {
    switch self {
    case .removed:
      """
      another program removed the log while it was recorded, and recording ended; leave a log alone \
      until it is closed
      """
    case .truncated:
      """
      another program shortened the log while it was recorded, and recording ended; exclude the log \
      from log rotation
      """
    case .moved:
      """
      another program renamed the log while it was recorded; recording continues in the renamed \
      file, but the actions in flight stay beside the old name
      """
    }
  }
}
