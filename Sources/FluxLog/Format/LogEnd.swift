/// The last line of a log that was closed.
///
/// LOG-FORMAT, "Other lines".
public struct LogEnd: Sendable, Equatable {
  /// The number of step lines in the file.
  public var steps: UInt64
  /// Whether everything was written; false where recording failed on the way, and where a repair closed a log
  /// that no recorder had closed.
  public var isComplete: Bool
  /// Whether the recording goes on in another segment, so that what the last steps led to may be there.
  public var isContinued: Bool

  /// Makes an end.
  public init(steps: UInt64, isComplete: Bool, isContinued: Bool = false) {
    self.steps = steps
    self.isComplete = isComplete
    self.isContinued = isContinued
  }
}
