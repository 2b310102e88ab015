public import FluxJSON

/// An action whose step is not in the log: the recorder crashed before it wrote the line, or has
/// not written it yet.
///
/// See docs/log-format.md, "Life cycle".
public struct InFlightAction: Sendable, Equatable {
  /// The number of the step.
  public let number: UInt64
  /// When the action was dispatched.
  public let time: LogTime
  /// The type of the action; `nil` if it is unknown.
  public let type: String?
  /// The action; `nil` if it was too large to be kept completely.
  public let action: JSON?
  /// `true` if the step committed, so that replay can rebuild its states.
  ///
  /// Otherwise it was being reduced.
  public let isCommitted: Bool
  /// The origin of the action.
  public internal(set) var origin = ActionOrigin()
}
