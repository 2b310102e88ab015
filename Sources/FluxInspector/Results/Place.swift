/// A step of the recording or of a fork, or the state before its first step.
public enum Place: Sendable, Hashable {
  /// A position of the recording, as `Timeline` counts.
  case recording(Int)
  /// The number of a fork, and the number of its steps up to here; 0 for the states that it begins with.
  case fork(Int, Int)

  /// The number of the fork; nil on the recording.
  public var fork: Int? { if case .fork(let number, _) = self { number } else { nil } }
}
