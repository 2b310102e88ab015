public import FluxJSON

/// A step that wrote a value, and the value.
public struct PathWrite: Sendable, Equatable {
  /// The position of the step; ``Timeline/start`` for the initial value.
  public let position: Int
  /// The number of the step; for the initial value, the number before the first step.
  public let number: UInt64
  /// The action type of the step; `nil` for the initial value.
  public let type: String?
  /// The value after the step; `nil` if the step removed it.
  public let value: JSON?
  /// `true` if steps before this one are missing or hide the value, so that one of them may have
  /// written it.
  public let afterGap: Bool
}
