/// The part of a log that an export contains.
///
/// An excerpt begins with an earlier step if the states before its first step are unknown, or if that
/// step follows up another one.
public enum LogExtent: Sendable, Hashable {
  /// Everything that is kept.
  case all
  /// The last steps, at least this number.
  case steps(Int)
  /// The steps of the time before the last step.
  case duration(Duration)

  /// The steps of the minutes before the last step.
  public static func minutes(_ minutes: Double) -> LogExtent { .duration(.seconds(minutes * 60)) }

  /// The steps of the seconds before the last step.
  public static func seconds(_ seconds: Double) -> LogExtent { .duration(.seconds(seconds)) }
}

/// The result of an export.
public struct LogExcerpt: Sendable, Equatable {
  /// The number of the first step.
  public let first: UInt64
  /// The number of the last step.
  public let last: UInt64
  /// The number of step lines, which is less than `last - first + 1` if the log has gaps.
  public let steps: Int
  /// The size of the file in bytes.
  public let byteCount: Int
}
