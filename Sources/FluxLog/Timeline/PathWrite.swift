/// One step that wrote a value, and the value that it wrote.
public struct PathWrite: Sendable, Equatable {
  /// The step's position; ``Timeline/start`` for the initial value.
  public let position: Int
  /// The step's number; for the initial value the one before the first.
  public let number: UInt64
  /// The type of the step's action; nil for the initial value.
  public let type: String?
  /// The value after the step; nil where it is not there any more.
  public let value: JSON?
  /// Whether steps before this one are missing or hide the value, so that one of them may have
  /// written it.
  public let afterGap: Bool
}
