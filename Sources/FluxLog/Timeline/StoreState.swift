/// What is known of a store at a position of a log.
public enum StoreState: Sendable, Equatable {
  /// It has this state, which may be `null`.
  case present(JSON)
  /// It is a feature that is not there, or a store that was not registered yet.
  case absent
  /// Damage or a gap hides it: it will be known again when it is next written whole.
  case unknown

  /// Whether the state, or that there is none, is certain.
  public var isKnown: Bool { self != .unknown }

  /// The state; nil where there is none, or where it is unknown.
  public var json: JSON? {
    guard case .present(let json) = self else { return nil }
    return json
  }
}
