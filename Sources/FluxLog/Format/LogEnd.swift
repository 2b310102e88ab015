/// The last line of a log that was closed.
///
/// LOG-FORMAT, "Other lines".
public struct LogEnd: Sendable, Equatable {
  /// The number of step lines in the file.
  public var steps: UInt64
  /// Whether everything was written; false where recording failed on the way, and where a repair closed a log
  /// that no recorder had closed.
  public var isComplete: Bool

  /// Makes an end.
  public init(steps: UInt64, isComplete: Bool) {
    self.steps = steps
    self.isComplete = isComplete
  }
}
