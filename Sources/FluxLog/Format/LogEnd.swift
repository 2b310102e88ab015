/// The last line of a closed log.
///
/// See docs/log-format.md, "Other lines".
public struct LogEnd: Sendable, Equatable {
  /// The number of step lines in the file.
  public var steps: UInt64
  /// `true` if everything was written.
  ///
  /// `false` if recording failed, or if a repair closed a log that its recorder had not closed.
  public var isComplete: Bool
  /// `true` if the recording continues in another segment, which may hold the follow-ups of the
  /// last steps.
  public var isContinued: Bool

  /// Makes an end line.
  public init(steps: UInt64, isComplete: Bool, isContinued: Bool = false) {
    self.steps = steps
    self.isComplete = isComplete
    self.isContinued = isContinued
  }
}
